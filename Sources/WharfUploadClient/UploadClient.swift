import WharfHTTP
public import WharfHTTPClient
import WharfNet

/// Sends files of any size to a server, in constant memory.
///
///     let uploads = UploadClient(try HTTPClient())
///     let upload = Upload(try HTTPURL("http://localhost:8080/"), files: [UploadFile("film.mov")])
///     let result = try await uploads.send(upload) { print($0.fraction) }
///
/// What breaks off is tried again: a resumable upload goes on where the server has got to, also in
/// another run of the program if ``Options/memoryPath`` is set; others begin anew, and only when the
/// server can't have got the whole already. Cancelling the task ends an upload at once; a resumable
/// one can go on later.
public struct UploadClient: Sendable {
    /// What the requests go through.
    public let client: HTTPClient
    /// How it tries again.
    public let options: Options

    /// Uploads over a client.
    public init(_ client: HTTPClient, options: Options = Options()) {
        self.client = client
        self.options = options
    }

    /// Uploads, and answers what the server has said.
    ///
    /// `onProgress` is called at most ten times a second, by a task of its own, and once at the end.
    /// Throws ``UploadError``, and `CancellationError` when the task is cancelled.
    public func send(
        _ upload: Upload, onProgress: (@Sendable (UploadProgress) -> Void)? = nil
    ) async throws -> UploadResult {
        guard !upload.files.isEmpty || !upload.formFields.isEmpty else {
            throw UploadError(.misuse, "there is nothing to upload")
        }
        let ticker = ProgressTicker(client, onProgress)
        let result = await withTaskGroup(of: Void.self) { group in
            group.addTask { await ticker.run() }
            let result = await attempt(upload, ticker)
            group.cancelAll()
            await group.waitForAll()
            return result
        }
        ticker.look()
        return try result.get()
    }

    private func attempt(_ upload: Upload, _ ticker: ProgressTicker) async
        -> Result<UploadResult, any Error>
    {
        do {
            return .success(try await run(upload, ticker))
        } catch let error as HTTPClientError {
            return .failure(UploadError.wrap(error))
        } catch {
            return .failure(error)
        }
    }

    private func run(_ upload: Upload, _ ticker: ProgressTicker) async throws -> UploadResult {
        let sources = try await client.blocking {
            try upload.files.map { file in (file, try FileSource(file.path)) }
        }
        var run = UploadRun(
            client: client, options: options, upload: upload, files: sources, ticker: ticker)
        return try await run.perform()
    }
}
