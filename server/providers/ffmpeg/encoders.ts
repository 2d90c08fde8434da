/**
 * H.264 encoders of ffmpeg. A hardware encoder is used only after it has encoded one second of a test
 * picture.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Ffmpeg } from './ffmpeg-binary.ts'

const runFile = promisify(execFile)

export interface Encoder {
  /** Name of the encoder in ffmpeg. */
  name: string
  /** Arguments before the input, for example the device. */
  deviceArguments: string[]
  /** Video filters that are applied after all others, for example the upload into the memory of the device. */
  filters: string[]
  arguments: string[]
}

const RENDER_DEVICE = '/dev/dri/renderD128'
const TRIAL_TIMEOUT_MS = 5_000

const SOFTWARE_ENCODER: Encoder = {
  name: 'libx264',
  deviceArguments: [],
  filters: ['format=yuv420p'],
  arguments: ['-preset', 'superfast', '-crf', '23', '-profile:v', 'high', '-sc_threshold', '0'],
}
const HARDWARE_ENCODERS: Encoder[] = [
  {
    name: 'h264_nvenc',
    deviceArguments: [],
    filters: ['format=yuv420p'],
    arguments: ['-preset', 'p3', '-forced-idr', '1'],
  },
  {
    name: 'h264_qsv',
    deviceArguments: [],
    filters: ['format=nv12'],
    arguments: ['-preset', 'veryfast', '-forced_idr', '1'],
  },
  {
    name: 'h264_vaapi',
    deviceArguments: ['-vaapi_device', RENDER_DEVICE],
    filters: ['format=nv12', 'hwupload'],
    arguments: [],
  },
  {
    name: 'h264_videotoolbox',
    deviceArguments: [],
    filters: ['format=yuv420p'],
    arguments: ['-realtime', '1'],
  },
  { name: 'h264_v4l2m2m', deviceArguments: [], filters: ['format=yuv420p'], arguments: [] },
]

/**
 * Values of the setting `conversion_encoder`: `auto` tries the hardware encoders until one works, `off` uses none, and
 * a name tries only that encoder.
 */
export const ENCODER_CHOICES = ['auto', 'off', ...HARDWARE_ENCODERS.map(({ name }) => name)] as const

const trialsByFfmpeg = new WeakMap<Ffmpeg, Map<string, Promise<boolean>>>()

/**
 * Returns the encoders to use: the first hardware encoder that passes its trial, then the software encoder. `choice` is
 * one of ENCODER_CHOICES. Empty when ffmpeg has none of these encoders.
 */
export async function chooseEncoders(ffmpeg: Ffmpeg, choice: string): Promise<Encoder[]> {
  const candidateEncoders = HARDWARE_ENCODERS.filter(
    ({ name }) => (choice === 'auto' || choice === name) && ffmpeg.encoders.has(name) && canHaveDevice(name),
  )
  const chosenEncoders: Encoder[] = []
  for (const encoder of candidateEncoders) {
    if (!(await isTrialPassed(ffmpeg, encoder))) continue
    chosenEncoders.push(encoder)
    break
  }
  if (ffmpeg.encoders.has(SOFTWARE_ENCODER.name)) chosenEncoders.push(SOFTWARE_ENCODER)
  return chosenEncoders
}

/**
 * True if the device that the encoder needs may exist. Without the device, the trial of the encoder is skipped, because
 * some drivers wait for seconds for an absent device.
 */
function canHaveDevice(encoderName: string): boolean {
  if (encoderName === 'h264_nvenc') return process.platform === 'win32' || existsSync('/dev/nvidia0')
  if (encoderName === 'h264_vaapi' || encoderName === 'h264_qsv') return existsSync(RENDER_DEVICE)
  if (encoderName === 'h264_v4l2m2m') return existsSync('/dev/video11')
  return process.platform === 'darwin'
}

function isTrialPassed(ffmpeg: Ffmpeg, encoder: Encoder): Promise<boolean> {
  const trialsByEncoder = trialsByFfmpeg.get(ffmpeg) ?? new Map<string, Promise<boolean>>()
  trialsByFfmpeg.set(ffmpeg, trialsByEncoder)
  const trialPromise = trialsByEncoder.get(encoder.name) ?? runTrial(ffmpeg, encoder)
  trialsByEncoder.set(encoder.name, trialPromise)
  return trialPromise
}

async function runTrial({ ffmpegPath }: Ffmpeg, encoder: Encoder): Promise<boolean> {
  const inputArguments = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=1']
  const outputArguments = [
    '-vf',
    encoder.filters.join(','),
    '-c:v',
    encoder.name,
    ...encoder.arguments,
    '-f',
    'null',
    '-',
  ]
  const ffmpegArguments = [
    '-v',
    'error',
    '-nostdin',
    ...encoder.deviceArguments,
    ...inputArguments,
    ...outputArguments,
  ]
  return runFile(ffmpegPath, ffmpegArguments, { timeout: TRIAL_TIMEOUT_MS, killSignal: 'SIGKILL' }).then(
    () => true,
    () => false,
  )
}
