/** Messages between the player and the worker that draws styled subtitles. */

export interface AssStartOptions {
  wasmUrl: string
  script: string
  fontUrls: string[]
  canvas: OffscreenCanvas
}
export type AssCall =
  | ({ call: 'start' } & AssStartOptions)
  /** `shouldRepaint` draws again even if the subtitles have not changed since the last call. */
  | { call: 'draw'; seconds: number; shouldRepaint: boolean }
  | { call: 'resize'; width: number; height: number; videoWidth: number; videoHeight: number }
  | { call: 'setTrack'; script: string }
  | { call: 'ping' }
export type AssRequest = AssCall & { id: number }
export interface AssReply {
  id: number
  error: string | null
}
