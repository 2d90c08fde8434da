/** Formats of the subtitle tracks inside video files, by their names in ffmpeg. */
import type { SubtitleTrack } from './media-probe.ts'

const TEXT_SUBTITLE_CODECS = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text'])
const STYLED_SUBTITLE_CODECS = new Set(['ass', 'ssa'])
const PICTURE_SUBTITLE_FORMATS_BY_CODEC: Record<string, 'pgs' | 'vobsub'> = {
  hdmv_pgs_subtitle: 'pgs',
  dvd_subtitle: 'vobsub',
  // The server burns in the DVB subtitles of television in the same way as the VobSub subtitles of DVDs.
  dvb_subtitle: 'vobsub',
}
type TrackWithCodec = Pick<SubtitleTrack, 'codec'>

export const isTextSubtitle = ({ codec }: TrackWithCodec) => TEXT_SUBTITLE_CODECS.has(codec)
export const isStyledSubtitle = ({ codec }: TrackWithCodec) => STYLED_SUBTITLE_CODECS.has(codec)
export const getPictureSubtitleFormat = ({ codec }: TrackWithCodec) =>
  PICTURE_SUBTITLE_FORMATS_BY_CODEC[codec] ?? null
export const isPictureSubtitle = (track: TrackWithCodec) => getPictureSubtitleFormat(track) !== null
