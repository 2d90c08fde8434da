/**
 * Creates a key for a change. If the request of the change is sent again, it contains the same key, so that the
 * server applies the change only once.
 */
export const createEditKey = () => `${Date.now()}-${Math.random().toString(36).slice(2)}`
