/** True on a narrow touch screen. It has no arrow keys, and can be the remote control of a television. */
export const isPhone = (): boolean => matchMedia('(pointer: coarse) and (width < 48rem)').matches
