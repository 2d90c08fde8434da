/**
 * Renders the frames of the demo clips and writes them to stdout as raw RGB24, 640 x 360, 24 per second.
 * `node scripts/demo-frames.ts night-drive|harbour [seconds]`; scripts/demo-clips.sh pipes the frames into ffmpeg.
 * Every pixel is a function of time, so each machine renders the same clip.
 */
const FRAME_WIDTH = 640
const FRAME_HEIGHT = 360
const FRAMES_PER_SECOND = 24
type Rgb = readonly [number, number, number]

const frame = Buffer.alloc(FRAME_WIDTH * FRAME_HEIGHT * 3)
const clamp = (fraction: number) => (fraction < 0 ? 0 : Math.min(fraction, 1))
const computeSmoothstep = (lowerEdge: number, upperEdge: number, value: number) => {
  const fraction = clamp((value - lowerEdge) / (upperEdge - lowerEdge))
  return fraction * fraction * (3 - 2 * fraction)
}
const mixColours = (startColour: Rgb, endColour: Rgb, fraction: number): Rgb => [
  startColour[0] + (endColour[0] - startColour[0]) * fraction,
  startColour[1] + (endColour[1] - startColour[1]) * fraction,
  startColour[2] + (endColour[2] - startColour[2]) * fraction,
]
const hashToFraction = (seed: number) => {
  const sineValue = Math.sin(seed * 127.1) * 43758.5453
  return sineValue - Math.floor(sineValue)
}

function setPixel(byteIndex: number, colour: Rgb) {
  frame[byteIndex] = colour[0]
  frame[byteIndex + 1] = colour[1]
  frame[byteIndex + 2] = colour[2]
}

/** Adds a disc of light with a radius of `radius` pixels. The light fades towards the edge of the disc. */
function addGlow(centreX: number, centreY: number, radius: number, colour: Rgb, intensity: number) {
  const top = Math.max(0, Math.floor(centreY - radius))
  const bottom = Math.min(FRAME_HEIGHT - 1, Math.ceil(centreY + radius))
  const left = Math.max(0, Math.floor(centreX - radius))
  const right = Math.min(FRAME_WIDTH - 1, Math.ceil(centreX + radius))
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const distanceFraction = Math.hypot(x - centreX, y - centreY) / radius
      if (distanceFraction >= 1) continue
      const brightness = (1 - distanceFraction) ** 2 * intensity
      const byteIndex = (y * FRAME_WIDTH + x) * 3
      for (let channel = 0; channel < 3; channel++)
        frame[byteIndex + channel] = Math.min(
          255,
          frame[byteIndex + channel]! + colour[channel]! * brightness,
        )
    }
}

/**
 * Returns the colour for one of the three shots. The colour is constant within a shot: a slow fade of the whole frame
 * would need more bits than all moving parts.
 */
const getShotColour = (dusk: Rgb, night: Rgb, dawn: Rgb, shot: number) => [dusk, night, dawn][shot]!

function computeRoadColour(
  x: number,
  y: number,
  baseColour: Rgb,
  roadBend: number,
  travelledDistance: number,
): Rgb {
  const depth = (y - HORIZON_Y) / (FRAME_HEIGHT - HORIZON_Y)
  const centre = FRAME_WIDTH / 2 + roadBend * (1 - depth) ** 2
  const centreOffset = (x - centre) / (depth * FRAME_WIDTH * 0.62 + 1)
  const centreLight = Math.exp(-((centreOffset * 1.7) ** 2)) * depth * 0.55
  const litColour = mixColours(baseColour, [118, 108, 92], centreLight)
  const centreDistance = Math.abs(centreOffset)
  if (centreDistance > 1.02) return mixColours(litColour, [0, 0, 0], 0.25)
  const distanceFade = computeSmoothstep(0.03, 0.3, depth)
  if (centreDistance > 0.93 && centreDistance < 0.96)
    return mixColours(litColour, [236, 226, 204], distanceFade * 0.5)
  const roadPosition = 5 / (depth + 0.03) + travelledDistance
  if (centreDistance < 0.022 && roadPosition - Math.floor(roadPosition / 6) * 6 < 2.6)
    return mixColours(litColour, [255, 214, 140], distanceFade * 0.85)
  return litColour
}

const HORIZON_Y = 190

function renderNightDrive(timeSeconds: number, durationSeconds: number) {
  const shot = Math.min(2, Math.floor((timeSeconds / durationSeconds) * 3))
  const skyTop = getShotColour([42, 28, 84], [4, 6, 18], [58, 104, 150], shot)
  const skyBottom = getShotColour([242, 118, 82], [24, 38, 74], [255, 196, 142], shot)
  const hillColour = getShotColour([60, 26, 62], [9, 13, 28], [92, 84, 112], shot)
  const groundColour = getShotColour([30, 15, 38], [5, 7, 16], [46, 44, 62], shot)
  const bend = Math.sin(timeSeconds / 7) * 70 + Math.sin(timeSeconds / 17) * 50
  for (let x = 0; x < FRAME_WIDTH; x++) {
    const hillPosition = (x + bend * 0.6) / FRAME_WIDTH
    const backHillY =
      HORIZON_Y - 20 - 15 * Math.sin(hillPosition * 7 + 1) - 9 * Math.sin(hillPosition * 15 + shot)
    const frontHillY =
      HORIZON_Y - 3 - 7 * Math.sin(hillPosition * 11 + 4) - 3 * Math.sin(hillPosition * 31 + shot * 2)
    for (let y = 0; y < FRAME_HEIGHT; y++) {
      const byteIndex = (y * FRAME_WIDTH + x) * 3
      if (y >= HORIZON_Y) setPixel(byteIndex, computeRoadColour(x, y, groundColour, bend, timeSeconds * 9))
      else if (y > frontHillY) setPixel(byteIndex, groundColour)
      else if (y > backHillY) setPixel(byteIndex, hillColour)
      else setPixel(byteIndex, mixColours(skyTop, skyBottom, (y / HORIZON_Y) ** 1.7))
    }
  }
  const darkness = shot === 1 ? 1 : 0
  for (let starIndex = 0; starIndex < 70; starIndex++)
    addGlow(
      hashToFraction(starIndex) * FRAME_WIDTH,
      hashToFraction(starIndex + 99) * 140,
      1.6,
      [200, 210, 255],
      darkness * hashToFraction(starIndex + 7),
    )
  addGlow(FRAME_WIDTH * 0.72, 64, 70, [90, 100, 150], darkness * 0.6)
  addGlow(FRAME_WIDTH * 0.72, 64, 16, [255, 246, 225], darkness * 2.2)
  addGlow(FRAME_WIDTH / 2, HORIZON_Y - 6, 150, [255, 150, 80], (1 - darkness) * 0.55)
  renderLamps(timeSeconds, bend, [0.6, 1.3, 0.3][shot]!)
}

/** Draws street lamps on both sides of the road, one every 14 m, which move towards the viewer. */
function renderLamps(timeSeconds: number, roadBend: number, intensity: number) {
  const travelledDistance = timeSeconds * 11
  for (let lampIndex = 12; lampIndex >= 0; lampIndex--) {
    const lampDistance = lampIndex * 14 - (travelledDistance % 14) + 3
    if (lampDistance < 2.2) continue
    const depth = 5 / lampDistance
    const fade = computeSmoothstep(150, 90, lampDistance) * computeSmoothstep(2.2, 5, lampDistance)
    for (const side of [-1, 1]) {
      const x = FRAME_WIDTH / 2 + roadBend * (1 - clamp(depth)) ** 2 + side * depth * FRAME_WIDTH * 0.42
      const y = HORIZON_Y - depth * 128
      addGlow(x, y, 4 + depth * 34, [255, 168, 84], intensity * fade * 0.5)
      addGlow(x, y, 1.5 + depth * 10, [255, 236, 200], intensity * fade * 1.6)
    }
  }
}

function renderHarbour(timeSeconds: number, durationSeconds: number) {
  const skyMixFraction = timeSeconds < durationSeconds / 2 ? 0 : 0.8
  const skyTop = mixColours([10, 22, 52], [26, 24, 66], skyMixFraction)
  const skyBottom = mixColours([64, 132, 150], [216, 128, 120], skyMixFraction)
  const seaY = 168
  const moonX = FRAME_WIDTH * (0.3 + 0.16 * skyMixFraction)
  for (let x = 0; x < FRAME_WIDTH; x++) {
    const swellYs = Array.from({ length: 5 }, (_, waveIndex) => {
      const speed = (waveIndex % 2 ? -1 : 1) * (0.35 + waveIndex * 0.1)
      return (
        seaY +
        waveIndex * waveIndex * 9 +
        (3 + waveIndex * 3) * Math.sin(x / (46 + waveIndex * 22) + timeSeconds * speed + waveIndex * 2)
      )
    })
    for (let y = 0; y < FRAME_HEIGHT; y++) {
      let colour = mixColours(skyTop, skyBottom, clamp(y / seaY) ** 1.5)
      for (let waveIndex = 0; waveIndex < 5; waveIndex++) {
        const swellY = swellYs[waveIndex]!
        if (y > swellY)
          colour = mixColours(
            mixColours(skyBottom, skyTop, 0.35 + waveIndex * 0.15),
            [3, 8, 22],
            0.14 + waveIndex * 0.16,
          )
      }
      const glint = y > seaY ? Math.exp(-(((x - moonX) / (16 + (y - seaY) * 0.5)) ** 2)) : 0
      const ripple = 0.5 + 0.5 * Math.sin(y * 0.4 - timeSeconds * 0.9 + Math.sin(x / 23 + timeSeconds * 0.5))
      setPixel((y * FRAME_WIDTH + x) * 3, mixColours(colour, [255, 232, 196], glint * ripple * 0.42))
    }
  }
  for (let starIndex = 0; starIndex < 50; starIndex++)
    addGlow(
      hashToFraction(starIndex) * FRAME_WIDTH,
      hashToFraction(starIndex + 50) * 120,
      1.6,
      [220, 230, 255],
      0.9 * hashToFraction(starIndex + 3),
    )
  addGlow(moonX, 74, 120, [120, 110, 110], 0.5)
  addGlow(moonX, 74, 30, [255, 238, 208], 2.4)
  renderLighthouse(timeSeconds)
}

function renderLighthouse(timeSeconds: number) {
  const lighthouseX = FRAME_WIDTH * 0.82
  for (let y = 96; y < 184; y++) {
    const halfWidth = 5 + (y - 96) * 0.055
    for (let x = Math.floor(lighthouseX - halfWidth); x < lighthouseX + halfWidth; x++)
      setPixel((y * FRAME_WIDTH + x) * 3, [9, 14, 30])
  }
  const beamDirection = Math.cos(timeSeconds * 0.7)
  const beamBrightness = 0.5 + 0.5 * Math.sin(timeSeconds * 0.7)
  for (let y = 40; y < 150; y++)
    for (let x = 0; x < FRAME_WIDTH; x++) {
      const beamDistance = (x - lighthouseX) * Math.sign(beamDirection)
      if (beamDistance <= 0 || beamDistance > 240) continue
      const beamStrength =
        Math.exp(-(((y - 92) / (3 + beamDistance * 0.09)) ** 2)) *
        Math.abs(beamDirection) *
        Math.exp(-beamDistance / 70) *
        0.6
      const byteIndex = (y * FRAME_WIDTH + x) * 3
      setPixel(
        byteIndex,
        mixColours(
          [frame[byteIndex]!, frame[byteIndex + 1]!, frame[byteIndex + 2]!],
          [255, 226, 170],
          beamStrength,
        ),
      )
    }
  addGlow(lighthouseX, 92, 16 + beamBrightness * 50, [255, 220, 160], 0.5 + beamBrightness)
}

const [clipName = 'night-drive', secondsText = '80'] = process.argv.slice(2)
const renderFrame = clipName === 'harbour' ? renderHarbour : renderNightDrive
for (let frameIndex = 0; frameIndex < Number(secondsText) * FRAMES_PER_SECOND; frameIndex++) {
  renderFrame(frameIndex / FRAMES_PER_SECOND, Number(secondsText))
  if (!process.stdout.write(Buffer.from(frame)))
    await new Promise((resolve) => process.stdout.once('drain', resolve))
}

export {}
