import WharfNet
import WharfServer

/// The program `wharf`.
@main enum EntryPoint {
    static func main() async {
        ProcessSettings.openStandardDescriptors()
        ProcessSettings.exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what the arguments say, and answers the exit code.
    private static func run(_ arguments: [String]) async -> Int32 {
        let command: Command
        do throws(UsageError) {
            command = try Command(arguments)
        } catch {
            HTTPLog.errorWriter.write("wharf: \(error.reason)\nTry `wharf --help`.")
            return 2
        }
        switch command {
        case .usage:
            HTTPLog.errorWriter.write(String(Command.helpText.dropLast()))
            return 2
        case .help: StandardStream.output.write(Command.helpText)
        case .version: StandardStream.output.write(Command.versionText)
        case .serve(let options):
            return attempt { () throws(Failure) in try Serve(options: options).run() }
        case .usageOfUpload: StandardStream.output.write(UploadOptions.helpText)
        case .upload(let options): return await UploadCommand(options: options).run()
        case .usageOfBLIP: StandardStream.output.write(BLIPCommandOptions.helpText)
        case .blip(let options): return await BLIPCommand(options: options).run()
        case .hashPassword(let hashing):
            return attempt { () throws(Failure) in try hashing.run() }
        }
        return 0
    }

    private static func attempt(_ body: () throws(Failure) -> Void) -> Int32 {
        do throws(Failure) {
            try body()
            return 0
        } catch {
            HTTPLog.errorWriter.write("wharf: \(error.reason)")
            return 1
        }
    }
}
