/** Returns a signal that aborts when one of the given signals aborts. Ignores undefined signals. */
export const combineSignals = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined))
