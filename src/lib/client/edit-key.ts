/** Returns the key of a new change, with which the server recognises a repeated request. */
export const createEditKey = () => `${Date.now()}-${Math.random().toString(36).slice(2)}`
