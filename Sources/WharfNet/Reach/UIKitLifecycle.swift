#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// The life of an app on iOS, as a server has to know it.
    ///
    ///     configuration.lifecycle = UIKitLifecycle(UIApplication.shared)
    ///
    /// The application is handed in, as extensions of apps have none. This file is not compiled on
    /// the machines that Wharf is tested on.
    @MainActor public final class UIKitLifecycle: AppLifecycle {
        private let application: UIApplication
        private var task = UIBackgroundTaskIdentifier.invalid
        private nonisolated let stream: AsyncStream<AppEvent>
        private let continuation: AsyncStream<AppEvent>.Continuation

        /// Watches an application from now on.
        public init(_ application: UIApplication) {
            self.application = application
            (stream, continuation) = AsyncStream.makeStream()
            if application.applicationState == .background {
                continuation.yield(.enteredBackground)
            }
            let events: [(Notification.Name, AppEvent)] = [
                (UIApplication.didEnterBackgroundNotification, .enteredBackground),
                (UIApplication.willEnterForegroundNotification, .enteringForeground),
            ]
            // They stay: an app has one of these for all of its life.
            for (name, event) in events {
                _ = NotificationCenter.default.addObserver(
                    forName: name, object: application, queue: nil
                ) { [continuation] _ in continuation.yield(event) }
            }
        }

        /// What happens to the app; it can be iterated once.
        public nonisolated func events() -> AsyncStream<AppEvent> { stream }

        /// Begins a background task.
        public func beginBackgroundTime() async -> Bool {
            task = application.beginBackgroundTask(withName: "Wharf") { [continuation] in
                continuation.yield(.backgroundTimeIsUp)
            }
            return task != .invalid
        }

        /// Ends the background task.
        public func endBackgroundTime() async {
            guard task != .invalid else { return }
            application.endBackgroundTask(task)
            task = .invalid
        }
    }
#endif
