/**
 * Creates subtitle tracks for test videos: picture subtitles of a Blu-ray (PGS), which no free program encodes, and
 * styled subtitles (ASS).
 */

export interface PictureCue {
  startSeconds: number
  endSeconds: number
  x: number
  y: number
  width: number
  height: number
}
const TICKS_PER_SECOND = 90_000
const [PALETTE_SEGMENT, OBJECT_SEGMENT, COMPOSITION_SEGMENT, WINDOWS_SEGMENT, END_SEGMENT] = [
  0x14, 0x15, 0x16, 0x17, 0x80,
]
/** States of a composition: the first composition of an epoch, and a composition that continues the epoch. */
const [EPOCH_START_STATE, NORMAL_STATE] = [0x80, 0x00]
/** Colour 1 of the palette: opaque white. */
const WHITE_PALETTE_ENTRY = [1, 235, 128, 128, 255]

const encodeUint16 = (value: number) => [(value >> 8) & 0xff, value & 0xff]

function createSegment(startSeconds: number, segmentType: number, content: number[]): Buffer {
  const header = Buffer.alloc(13)
  header.write('PG')
  header.writeUInt32BE(Math.round(startSeconds * TICKS_PER_SECOND), 2)
  header.writeUInt8(segmentType, 10)
  header.writeUInt16BE(content.length, 11)
  return Buffer.concat([header, Buffer.from(content)])
}

/** Returns a PGS stream (.sup) that shows white rectangles on a picture of the given size. */
export function createPgsStream(
  cues: readonly PictureCue[],
  size: { width: number; height: number },
): Buffer {
  const buildComposition = (
    compositionNumber: number,
    compositionState: number,
    compositionObjects: number[][],
  ) => [
    ...encodeUint16(size.width),
    ...encodeUint16(size.height),
    ...[0x10, ...encodeUint16(compositionNumber), compositionState, 0, 0, compositionObjects.length],
    ...compositionObjects.flat(),
  ]
  // Without a composition at time 0, ffmpeg would move the first composition to time 0 when it copies the stream into
  // another file.
  const emptyCompositionSegments = [
    createSegment(0, COMPOSITION_SEGMENT, buildComposition(0, EPOCH_START_STATE, [])),
    createSegment(0, END_SEGMENT, []),
  ]
  return Buffer.concat([
    ...emptyCompositionSegments,
    ...cues.flatMap(({ startSeconds, endSeconds, x, y, width, height }, index) => {
      const windowBytes = [
        1,
        0,
        ...encodeUint16(x),
        ...encodeUint16(y),
        ...encodeUint16(width),
        ...encodeUint16(height),
      ]
      const rowBytes = [0x00, 0xc0 | (width >> 8), width & 0xff, 1, 0x00, 0x00]
      const pixelBytes = Array.from({ length: Math.min(height, 4_000) }, () => rowBytes).flat()
      const dataSizeBytes = pixelBytes.length + 4
      const objectBytes = [
        ...encodeUint16(0),
        0,
        0xc0,
        dataSizeBytes >> 16,
        ...encodeUint16(dataSizeBytes),
        ...encodeUint16(width),
        ...encodeUint16(height),
      ]
      return [
        createSegment(
          startSeconds,
          COMPOSITION_SEGMENT,
          buildComposition(index * 2 + 1, EPOCH_START_STATE, [
            [...encodeUint16(0), 0, 0, ...encodeUint16(x), ...encodeUint16(y)],
          ]),
        ),
        createSegment(startSeconds, WINDOWS_SEGMENT, windowBytes),
        createSegment(startSeconds, PALETTE_SEGMENT, [0, 0, ...WHITE_PALETTE_ENTRY]),
        createSegment(startSeconds, OBJECT_SEGMENT, [...objectBytes, ...pixelBytes]),
        createSegment(startSeconds, END_SEGMENT, []),
        createSegment(endSeconds, COMPOSITION_SEGMENT, buildComposition(index * 2 + 2, NORMAL_STATE, [])),
        createSegment(endSeconds, WINDOWS_SEGMENT, windowBytes),
        createSegment(endSeconds, END_SEGMENT, []),
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
