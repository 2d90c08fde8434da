import { drawCurtain, drawMemphis } from './scenes/comedy.ts'
import { drawContactSheet } from './scenes/contacts.ts'
import { drawEclipse, drawHorizon, drawOrbits } from './scenes/cosmos.ts'
import { drawPaperCutout } from './scenes/cutouts.ts'
import { drawArches, drawBanner, drawColumns } from './scenes/history.ts'
import { drawMountainRanges, drawWaves } from './scenes/land.ts'
import { drawEye, drawMaze } from './scenes/mystery.ts'
import { drawSingleObject } from './scenes/objects.ts'
import { drawRoundShape, drawSwissStyle, drawTiles } from './scenes/print.ts'
import { drawMesa, drawRoad } from './scenes/roads.ts'
import { drawBotanica, drawFacesInProfile } from './scenes/romance.ts'
import { drawNeon, drawSkyline } from './scenes/skylines.ts'
import { drawStairs } from './scenes/stairs.ts'
import { drawCastle, drawKites, drawUnderwater } from './scenes/storybook.ts'
import { drawDoorway, drawWindows } from './scenes/walls.ts'
import { drawBranches, drawForest } from './scenes/woods.ts'
import type { DrawScene } from './stage.ts'

export const scenesByName = {
  arches: drawArches,
  banner: drawBanner,
  botanica: drawBotanica,
  branches: drawBranches,
  castle: drawCastle,
  columns: drawColumns,
  contactSheet: drawContactSheet,
  curtain: drawCurtain,
  paperCutout: drawPaperCutout,
  underwater: drawUnderwater,
  doorway: drawDoorway,
  eclipse: drawEclipse,
  eye: drawEye,
  forest: drawForest,
  horizon: drawHorizon,
  kites: drawKites,
  maze: drawMaze,
  memphis: drawMemphis,
  mesa: drawMesa,
  neon: drawNeon,
  singleObject: drawSingleObject,
  orbits: drawOrbits,
  facesInProfile: drawFacesInProfile,
  mountainRanges: drawMountainRanges,
  roundShape: drawRoundShape,
  road: drawRoad,
  skyline: drawSkyline,
  stairs: drawStairs,
  swiss: drawSwissStyle,
  tiles: drawTiles,
  waves: drawWaves,
  windows: drawWindows,
} as const satisfies Record<string, DrawScene>

export type SceneName = keyof typeof scenesByName
