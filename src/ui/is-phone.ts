import { isTelevision } from './is-television.ts'

/**
 * True on a phone: a touch screen of at most 768 x 1024 pixels, a touch screen less than 30 rem high (a phone in
 * landscape), or a browser that calls itself mobile. A phone has no arrow keys, and can be the remote control of a
 * television. A narrow window of a computer is not a phone (decision record 63), and neither is a television, although
 * the browsers of some televisions call themselves mobile.
 */
export const isPhone = (): boolean =>
  !isTelevision() &&
  (/Mobi/.test(navigator.userAgent) ||
    matchMedia(
      '(pointer: coarse) and (width <= 768px) and (height <= 1024px), (pointer: coarse) and (height < 30rem)',
    ).matches)
