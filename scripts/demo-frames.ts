/**
 * Renders the frames of the demo clips and writes them to stdout as raw RGB24, 640 x 360, 24 per second.
 * `node scripts/demo-frames.ts night-drive|harbour [seconds]`; scripts/demo-clips.sh pipes it into ffmpeg.
 * Every pixel is a function of time, so each machine renders the same clip.
 */
const W = 640
const H = 360
const FPS = 24
type Rgb = readonly [number, number, number]

const frame = Buffer.alloc(W * H * 3)
const clamp = (v: number) => (v < 0 ? 0 : Math.min(v, 1))
const computeSmoothstep = (a: number, b: number, v: number) => {
  const t = clamp((v - a) / (b - a))
  return t * t * (3 - 2 * t)
}
const mixColours = (a: Rgb, b: Rgb, t: number): Rgb => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
]
const hashToFraction = (i: number) => {
  const v = Math.sin(i * 127.1) * 43758.5453
  return v - Math.floor(v)
}

function setPixel(i: number, c: Rgb) {
  frame[i] = c[0]
  frame[i + 1] = c[1]
  frame[i + 2] = c[2]
}

/** Adds light in a disc of `r` pixels that fades towards its edge. */
function addGlow(cx: number, cy: number, r: number, c: Rgb, power: number) {
  const top = Math.max(0, Math.floor(cy - r))
  const bottom = Math.min(H - 1, Math.ceil(cy + r))
  const left = Math.max(0, Math.floor(cx - r))
  const right = Math.min(W - 1, Math.ceil(cx + r))
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const d = Math.hypot(x - cx, y - cy) / r
      if (d >= 1) continue
      const k = (1 - d) ** 2 * power
      const i = (y * W + x) * 3
      for (let n = 0; n < 3; n++) frame[i + n] = Math.min(255, frame[i + n]! + c[n]! * k)
    }
}

/**
 * Returns the colour for one of the three shots. It is constant within a shot: a slow fade of the whole frame would need more
 * bits than all moving parts.
 */
const getShotColour = (dusk: Rgb, night: Rgb, dawn: Rgb, shot: number) => [dusk, night, dawn][shot]!

function computeRoadColour(x: number, y: number, base: Rgb, bend: number, travelledDistance: number): Rgb {
  const depth = (y - HORIZON_Y) / (H - HORIZON_Y)
  const centre = W / 2 + bend * (1 - depth) ** 2
  const side = (x - centre) / (depth * W * 0.62 + 1)
  const centreLight = Math.exp(-((side * 1.7) ** 2)) * depth * 0.55
  const litColour = mixColours(base, [118, 108, 92], centreLight)
  const centreDistance = Math.abs(side)
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

function renderNightDrive(seconds: number, durationSeconds: number) {
  const shot = Math.min(2, Math.floor((seconds / durationSeconds) * 3))
  const skyTop = getShotColour([42, 28, 84], [4, 6, 18], [58, 104, 150], shot)
  const skyBottom = getShotColour([242, 118, 82], [24, 38, 74], [255, 196, 142], shot)
  const hillColour = getShotColour([60, 26, 62], [9, 13, 28], [92, 84, 112], shot)
  const groundColour = getShotColour([30, 15, 38], [5, 7, 16], [46, 44, 62], shot)
  const bend = Math.sin(seconds / 7) * 70 + Math.sin(seconds / 17) * 50
  for (let x = 0; x < W; x++) {
    const u = (x + bend * 0.6) / W
    const backHillY = HORIZON_Y - 20 - 15 * Math.sin(u * 7 + 1) - 9 * Math.sin(u * 15 + shot)
    const frontHillY = HORIZON_Y - 3 - 7 * Math.sin(u * 11 + 4) - 3 * Math.sin(u * 31 + shot * 2)
    for (let y = 0; y < H; y++) {
      const i = (y * W + x) * 3
      if (y >= HORIZON_Y) setPixel(i, computeRoadColour(x, y, groundColour, bend, seconds * 9))
      else if (y > frontHillY) setPixel(i, groundColour)
      else if (y > backHillY) setPixel(i, hillColour)
      else setPixel(i, mixColours(skyTop, skyBottom, (y / HORIZON_Y) ** 1.7))
    }
  }
  const darkness = shot === 1 ? 1 : 0
  for (let s = 0; s < 70; s++)
    addGlow(
      hashToFraction(s) * W,
      hashToFraction(s + 99) * 140,
      1.6,
      [200, 210, 255],
      darkness * hashToFraction(s + 7),
    )
  addGlow(W * 0.72, 64, 70, [90, 100, 150], darkness * 0.6)
  addGlow(W * 0.72, 64, 16, [255, 246, 225], darkness * 2.2)
  addGlow(W / 2, HORIZON_Y - 6, 150, [255, 150, 80], (1 - darkness) * 0.55)
  renderLamps(seconds, bend, [0.6, 1.3, 0.3][shot]!)
}

/** Street lamps on both sides of the road, one every 14 m, moving towards the viewer. */
function renderLamps(seconds: number, bend: number, power: number) {
  const travelled = seconds * 11
  for (let k = 12; k >= 0; k--) {
    const z = k * 14 - (travelled % 14) + 3
    if (z < 2.2) continue
    const depth = 5 / z
    const fade = computeSmoothstep(150, 90, z) * computeSmoothstep(2.2, 5, z)
    for (const side of [-1, 1]) {
      const x = W / 2 + bend * (1 - clamp(depth)) ** 2 + side * depth * W * 0.42
      const y = HORIZON_Y - depth * 128
      addGlow(x, y, 4 + depth * 34, [255, 168, 84], power * fade * 0.5)
      addGlow(x, y, 1.5 + depth * 10, [255, 236, 200], power * fade * 1.6)
    }
  }
}

function renderHarbour(seconds: number, durationSeconds: number) {
  const t = seconds < durationSeconds / 2 ? 0 : 0.8
  const skyTop = mixColours([10, 22, 52], [26, 24, 66], t)
  const skyBottom = mixColours([64, 132, 150], [216, 128, 120], t)
  const seaY = 168
  const moonX = W * (0.3 + 0.16 * t)
  for (let x = 0; x < W; x++) {
    const swell = Array.from({ length: 5 }, (_, k) => {
      const speed = (k % 2 ? -1 : 1) * (0.35 + k * 0.1)
      return seaY + k * k * 9 + (3 + k * 3) * Math.sin(x / (46 + k * 22) + seconds * speed + k * 2)
    })
    for (let y = 0; y < H; y++) {
      let c = mixColours(skyTop, skyBottom, clamp(y / seaY) ** 1.5)
      for (let k = 0; k < 5; k++) {
        const crest = swell[k]!
        if (y > crest)
          c = mixColours(mixColours(skyBottom, skyTop, 0.35 + k * 0.15), [3, 8, 22], 0.14 + k * 0.16)
      }
      const glint = y > seaY ? Math.exp(-(((x - moonX) / (16 + (y - seaY) * 0.5)) ** 2)) : 0
      const ripple = 0.5 + 0.5 * Math.sin(y * 0.4 - seconds * 0.9 + Math.sin(x / 23 + seconds * 0.5))
      setPixel((y * W + x) * 3, mixColours(c, [255, 232, 196], glint * ripple * 0.42))
    }
  }
  for (let s = 0; s < 50; s++)
    addGlow(
      hashToFraction(s) * W,
      hashToFraction(s + 50) * 120,
      1.6,
      [220, 230, 255],
      0.9 * hashToFraction(s + 3),
    )
  addGlow(moonX, 74, 120, [120, 110, 110], 0.5)
  addGlow(moonX, 74, 30, [255, 238, 208], 2.4)
  renderLighthouse(seconds)
}

function renderLighthouse(seconds: number) {
  const x0 = W * 0.82
  for (let y = 96; y < 184; y++) {
    const halfWidth = 5 + (y - 96) * 0.055
    for (let x = Math.floor(x0 - halfWidth); x < x0 + halfWidth; x++) setPixel((y * W + x) * 3, [9, 14, 30])
  }
  const beamDirection = Math.cos(seconds * 0.7)
  const beamBrightness = 0.5 + 0.5 * Math.sin(seconds * 0.7)
  for (let y = 40; y < 150; y++)
    for (let x = 0; x < W; x++) {
      const beamDistance = (x - x0) * Math.sign(beamDirection)
      if (beamDistance <= 0 || beamDistance > 240) continue
      const k =
        Math.exp(-(((y - 92) / (3 + beamDistance * 0.09)) ** 2)) *
        Math.abs(beamDirection) *
        Math.exp(-beamDistance / 70) *
        0.6
      const i = (y * W + x) * 3
      setPixel(i, mixColours([frame[i]!, frame[i + 1]!, frame[i + 2]!], [255, 226, 170], k))
    }
  addGlow(x0, 92, 16 + beamBrightness * 50, [255, 220, 160], 0.5 + beamBrightness)
}

const [clip = 'night-drive', seconds = '80'] = process.argv.slice(2)
const renderFrame = clip === 'harbour' ? renderHarbour : renderNightDrive
for (let f = 0; f < Number(seconds) * FPS; f++) {
  renderFrame(f / FPS, Number(seconds))
  if (!process.stdout.write(Buffer.from(frame)))
    await new Promise((next) => process.stdout.once('drain', next))
}

export {}
