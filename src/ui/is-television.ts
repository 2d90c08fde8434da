/** True on a television. It has a remote control, but usually neither a keyboard nor files. */
export const isTelevision = (): boolean => document.documentElement.dataset['tv'] !== undefined
