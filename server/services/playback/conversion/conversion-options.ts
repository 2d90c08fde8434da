/** Options of a converted stream: its file and tracks, the encoders to try, and where its segments are stored. */
import type { Encoder } from '../../../providers/ffmpeg/encoders.ts'
import type { Ffmpeg } from '../../../providers/ffmpeg/ffmpeg-binary.ts'
import type { AudioTrack, VideoTrack } from '../../../providers/ffmpeg/media-probe.ts'
import type { EntryPoint } from '../../../providers/ffmpeg/scan-keyframes.ts'
import type { LocatedFile } from '../../../providers/library/library.ts'
import type { WatchIdentity } from '../watch-access.ts'
import type { ConversionPlan } from './conversion-plan.ts'
import type { SegmentTimes } from './segments.ts'

interface ConversionSource {
  ffmpeg: Ffmpeg
  realPath: string
  video: VideoTrack
  audio: AudioTrack | null
  segmentTimes: SegmentTimes
  /** Encoders to try in this order; empty when the video is copied. */
  encoders: Encoder[]
  /** True when ffmpeg cannot seek precisely in the container, and must start to read before the wanted time. */
  needsPreroll: boolean
  /** Positions at which ffmpeg can start to read a file whose timestamps jump; null for other files. */
  entryPoints: EntryPoint[] | null
}
export interface ConversionSessionOptions {
  key: string
  /** Path of the file relative to the media folder. */
  path: string
  /**
   * Size and modification time of the file when the session was created. They show whether the file has changed since
   * then.
   */
  fileVersion: Pick<LocatedFile, 'sizeBytes' | 'modifiedAtMs'>
  plan: ConversionPlan
  watchIdentity: WatchIdentity
  /** Folder for the segments. */
  folder: string
  source: ConversionSource
  now: () => number
  monotonicNow: () => number
  /** Returns the maximum total size of the stored segments. It shrinks when more sessions share the disk. */
  getMaxStoredBytes: () => number
  onEncoderFailure: (encoder: string, errorText: string) => void
}
