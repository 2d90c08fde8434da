/** Graceful shutdown of a server process, of the supervisor and of an import. */

/** Signals within this time after the first signal belong to the same request to stop. */
const REPEATED_SIGNAL_WINDOW_MS = 2_000

/**
 * Calls `shutDown` at the first SIGTERM or SIGINT. A signal more than REPEATED_SIGNAL_WINDOW_MS later, for example a
 * second Ctrl+C, exits immediately with `immediateExitCode`.
 *
 * systemd and terminals send a signal to every process of the group, and `npm start` passes on the signal that it
 * receives. One request to stop therefore arrives several times. The repetitions must not end the graceful shutdown.
 */
export function shutDownOnSignal(shutDown: () => void, immediateExitCode = 1): void {
  let firstSignalMs: number | undefined
  const shutDownOrExit = () => {
    if (firstSignalMs === undefined) {
      firstSignalMs = performance.now()
      shutDown()
    } else if (performance.now() - firstSignalMs > REPEATED_SIGNAL_WINDOW_MS) {
      process.exit(immediateExitCode)
    }
  }
  process.on('SIGTERM', shutDownOrExit)
  process.on('SIGINT', shutDownOrExit)
}
