/** Subtitle tracks for test videos: pictures of a Blu-ray, which no free program encodes, and styled text. */

export interface PictureCue {
  startSeconds: number
  endSeconds: number
  x: number
  y: number
  width: number
  height: number
}
const TICKS_PER_SECOND = 90_000
const [PALETTE, OBJECT, COMPOSITION, WINDOWS, END] = [0x14, 0x15, 0x16, 0x17, 0x80]
/** States of a composition: the first of an epoch, and one that continues it. */
const [EPOCH_START, NORMAL] = [0x80, 0x00]
/** Colour 1 of the palette: opaque white. */
const WHITE = [1, 235, 128, 128, 255]

const u16 = (value: number) => [(value >> 8) & 0xff, value & 0xff]

function createSegment(seconds: number, type: number, content: number[]): Buffer {
  const header = Buffer.alloc(13)
  header.write('PG')
  header.writeUInt32BE(Math.round(seconds * TICKS_PER_SECOND), 2)
  header.writeUInt8(type, 10)
  header.writeUInt16BE(content.length, 11)
  return Buffer.concat([header, Buffer.from(content)])
}

/** Returns a PGS stream (.sup) that shows white rectangles on a picture of the given size. */
export function createPgsStream(
  cues: readonly PictureCue[],
  size: { width: number; height: number },
): Buffer {
  const compose = (number: number, state: number, objects: number[][]) => [
    ...u16(size.width),
    ...u16(size.height),
    ...[0x10, ...u16(number), state, 0, 0, objects.length],
    ...objects.flat(),
  ]
  // Without a composition at time 0, ffmpeg would move the first one to time 0 when it copies the stream into
  // another file.
  const start = [createSegment(0, COMPOSITION, compose(0, EPOCH_START, [])), createSegment(0, END, [])]
  return Buffer.concat([
    ...start,
    ...cues.flatMap(({ startSeconds, endSeconds, x, y, width, height }, index) => {
      const window = [1, 0, ...u16(x), ...u16(y), ...u16(width), ...u16(height)]
      const row = [0x00, 0xc0 | (width >> 8), width & 0xff, 1, 0x00, 0x00]
      const pixels = Array.from({ length: Math.min(height, 4_000) }, () => row).flat()
      const dataBytes = pixels.length + 4
      const object = [...u16(0), 0, 0xc0, dataBytes >> 16, ...u16(dataBytes), ...u16(width), ...u16(height)]
      return [
        createSegment(
          startSeconds,
          COMPOSITION,
          compose(index * 2 + 1, EPOCH_START, [[...u16(0), 0, 0, ...u16(x), ...u16(y)]]),
        ),
        createSegment(startSeconds, WINDOWS, window),
        createSegment(startSeconds, PALETTE, [0, 0, ...WHITE]),
        createSegment(startSeconds, OBJECT, [...object, ...pixels]),
        createSegment(startSeconds, END, []),
        createSegment(endSeconds, COMPOSITION, compose(index * 2 + 2, NORMAL, [])),
        createSegment(endSeconds, WINDOWS, window),
        createSegment(endSeconds, END, []),
      ]
    }),
  ])
}

/** Returns an ASS script for a picture of 640 × 360, with one style and the given lines of dialogue. */
export function createAssScript(lines: readonly { start: string; end: string; text: string }[]): string {
  return `[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,32,&H0000FFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${lines.map(({ start, end, text }) => `Dialogue: 0,${start},${end},Default,,0,0,0,,${text}\n`).join('')}`
}
