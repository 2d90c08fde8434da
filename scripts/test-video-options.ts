/** Arguments of ffmpeg for test videos: generated pictures and tones, and encodings. */

export const TEST_VIDEO_SECONDS = 10
const createGeneratedInput = (source: string) => [
  ...['-f', 'lavfi', '-i'],
  `${source}:duration=${TEST_VIDEO_SECONDS}`,
]
export const PICTURE_INPUT = createGeneratedInput('testsrc2=size=320x180:rate=25')
export const ODD_PICTURE_INPUT = createGeneratedInput('testsrc2=size=321x181:rate=25')
export const TONE_INPUT = createGeneratedInput('sine=frequency=440:sample_rate=48000')
export const LOW_TONE_INPUT = createGeneratedInput('sine=frequency=220:sample_rate=48000')

export const H264_OPTIONS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50']
export const HEVC_OPTIONS = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=none:keyint=50',
]
export const VP9_OPTIONS = [
  '-c:v',
  'libvpx-vp9',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-b:v',
  '300k',
  '-g',
  '50',
]
export const VP8_OPTIONS = [
  '-c:v',
  'libvpx',
  '-deadline',
  'realtime',
  '-cpu-used',
  '16',
  '-b:v',
  '300k',
  '-g',
  '50',
]
export const AV1_OPTIONS = ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50']
export const STEREO_OPTIONS = ['-ac', '2']
export const SURROUND_OPTIONS = ['-ac', '6']
export const AAC_OPTIONS = ['-c:a', 'aac', ...STEREO_OPTIONS]
export const DTS_OPTIONS = ['-c:a', 'dca', '-strict', '-2', ...SURROUND_OPTIONS]
