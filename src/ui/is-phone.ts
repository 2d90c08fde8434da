/**
 * True on a small touch screen, upright or in landscape. It has no arrow keys, and can be the remote control of a
 * television.
 */
export const isPhone = (): boolean =>
  matchMedia('(pointer: coarse) and (width < 48rem), (pointer: coarse) and (height < 30rem)').matches
