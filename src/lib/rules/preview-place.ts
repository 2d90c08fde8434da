/** Where a preview card stands: over the card it belongs to, inside what can be seen. Pixels of the window throughout. */

export interface Room {
  left: number
  right: number
  top: number
  bottom: number
}
interface Size {
  width: number
  height: number
}
export interface Place {
  left: number
  top: number
  /** The card's middle, from the preview's own corner: what it grows out of. */
  origin: { x: number; y: number }
}

/** How much larger than its card. */
const SCALE = 1.4

/** `least`: what its buttons need. Never wider than the room. */
export function previewWidth(card: number, least: number, room: Room): number {
  return Math.min(Math.max(card * SCALE, least), room.right - room.left)
}

/**
 * Centred over the card; a card at a side keeps that side, so that the preview opens towards the middle. What does not
 * fit at all begins where the room begins. The mirror image of a page gets the mirror image of the place.
 */
export function placePreview(card: Room, size: Size, room: Room): Place {
  const left = along({ from: card.left, to: card.right }, size.width, { from: room.left, to: room.right })
  const top = along({ from: card.top, to: card.bottom }, size.height, { from: room.top, to: room.bottom })
  return {
    left,
    top,
    origin: { x: (card.left + card.right) / 2 - left, y: (card.top + card.bottom) / 2 - top },
  }
}

interface Span {
  from: number
  to: number
}

function along(card: Span, length: number, room: Span): number {
  const centred = (card.from + card.to - length) / 2
  if (length >= room.to - room.from) return room.from
  if (centred < room.from) return clamp(card.from, room, length)
  if (centred + length > room.to) return clamp(card.to - length, room, length)
  return centred
}

const clamp = (from: number, room: Span, length: number) =>
  Math.min(Math.max(from, room.from), room.to - length)
