/** Colours of an image (#rrggbb): a ramp from the darkest to the lightest, and the accent colour `pop`. */
export interface Palette {
  readonly ink: string
  readonly deep: string
  readonly mid: string
  readonly glow: string
  readonly pale: string
  readonly pop: string
}

/**
 * Hand-picked palettes by catalogue genre id. The colours of a palette are in this order: ink, deep, mid, glow, pale,
 * pop.
 */
const hexRowsByGenre: Readonly<Record<number, readonly string[]>> = {
  878: [
    '070b1f 1a2a6c 5b4bb5 f2a65a ffe9cf ff5c7a',
    '04141a 0b3b46 1f8a8a 9fe0c4 f0fff4 ff7a45',
    '120822 3b1466 8a2b8f ff7b54 ffe0b8 36d6e7',
    '0a0f14 24394a 5f7f95 d9e4e8 ffffff e8472f',
    '1a0f0a 5a2416 b5482a f29e4c ffe6c2 4fb3bf',
  ],
  28: [
    '140605 5c120c c62a17 ff9b2f ffe9c4 17b3c1',
    '081018 12344d 1f6f8b f5a623 fff0d0 e23e2e',
    '0d0d0f 2b2d33 6d6f76 f2c230 fff8e0 e5322d',
    '10131f 2d2f5e 7a3f8f ff6f59 ffe1c7 f9d648',
  ],
  12: [
    '0b1d1a 1f4d3f 5a8f5c f0b84d fff1cf d9532c',
    '0d1b2a 1b4965 5fa8d3 f6c667 fff4dc e4572e',
    '21120b 6b3415 b8692b f3b95f fff0d2 2a7f7a',
    '101a2e 3b4f7a 9a7aa0 f7a072 ffe8d6 2ec4b6',
  ],
  53: [
    '07090c 1a2128 44525d c9d1d3 f4f5ef d7261e',
    '0c0806 33190f 7c3a18 e08b2d fbe6c0 d13b1f',
    '050d0f 0d2f35 2a6b6b a8c9a0 eef5dc f04e23',
    '0e0a14 2a1f3d 5d4777 d3a9a0 f7e9e2 e0343f',
  ],
  9648: [
    '0a0c18 20264a 4d5590 c8a765 f6ebcf b23a48',
    '0b1512 1f3a33 4d7866 d6c78a f6f1d7 c4512d',
    '120b14 3c2140 7d4a6b dca66b f9ead0 3c9a8f',
    '0d1116 27343f 5c7080 cdbb95 f3ecdd e0a526',
  ],
  35: [
    '2a1030 8c2f6b f0568a ffd23f fff7dc 12a5a0',
    '102a43 1272a8 48c1d4 ffd166 fffbe8 ef476f',
    '2b1a0e a8431c f47b2a ffcf4a fff5dc 1f8a86',
    '14283a 2c6e6a 6fc3a1 ff9f6b fff3e2 e6395f',
    '31122c a3203f ef5345 ffb84d fff3d6 2b6cb0',
  ],
  80: [
    '08090b 1e1e22 4b4a4d cfc8b8 f3ede0 c8201c',
    '0a0d16 1a2740 3b5b80 e4b363 f8ead0 cf3a2b',
    '110a08 3d1b12 80351f d98e48 f6e2c0 b01e1e',
    '060f0c 12332a 2f6a52 cdb15f f4eccd d8442c',
  ],
  14: [
    '0d0b24 2c2268 6b55b8 e7a5d0 fdeff5 f6c445',
    '061a1f 0f4a4c 3a9188 e9d98a fdf8dc e2674a',
    '1b0b24 5a1f5e a8447e f5a36a fff0d6 63d2c6',
    '0a1730 23497d 6a9bd0 f3d9a4 fffaeb d9577a',
  ],
  27: [
    '060405 2a0608 7d0f12 e0402c f7e3cf e6d9b8',
    '050807 12201a 3c5a45 a9bd83 eaf0d2 b8201c',
    '08060c 1f1830 4b3a66 b9a3b5 efe6ea c41f2e',
    '0a0808 241f1e 5a504b cfc4b2 f5eee2 d3221a',
  ],
  18: [
    '10141f 2d3a56 6f7fa0 e9b48a fbeede d1604a',
    '16110f 4a3328 94684c e3b98a fbf1e2 4d7c8a',
    '0e1a1b 29494a 6b9490 e8c9a0 fbf4e6 c9573c',
    '171019 4a3050 93648a e9a58f fbeae2 e6b34a',
    '0c1626 274060 7398b8 e7d5b5 fdf9ee c7493a',
  ],
  10749: [
    '2a0d18 8a2344 d9566f f7a99a fff0e8 f2c14e',
    '1e1030 6a3f7d c986a8 f8c7b5 fff5ee e2574c',
    '0f2231 2f5f73 8fb6b0 f6c6a8 fff4ea d94f63',
    '2c120c 93402c dd7c53 f8c690 fff3e0 a32546',
  ],
  16: [
    '12285a 2763b8 4db4e8 ffd64f fffbea ff6b5a',
    '0f3b3a 1d8a72 79cf8c ffdf6b fffceb ff7d57',
    '3a1657 8e3fa8 f07fb3 ffcf5a fff6e6 2fc3c9',
    '4a1a1a c7432f ff8f4a ffd873 fff7e2 2b9fb0',
  ],
  10751: [
    '16324a 2f7f9e 8accc8 ffcb69 fff8e7 ee6352',
    '2d1f3d 7a4b8c d68fb0 ffc98b fff4e4 3fa7a0',
    '1f3a26 4d8a4f a6cc7a ffd97a fffbe6 e8674a',
    '12285a 2763b8 4db4e8 ffd64f fffbea ff6b5a',
  ],
  36: [
    '140f0a 463019 8f6a35 dcb872 f7ecd0 a3301f',
    '0c1310 2a3a2e 66775a d0c08c f3eed6 b5372a',
    '10121a 353c50 7b7f8c d9c8a6 f5eee0 9d2a2a',
    '1a0a0a 5c1a18 a83a2a e8b06a fbecd0 e0c36a',
  ],
  99: [
    '0c0d0f 2a2d31 70757a d8d6cf f6f4ee f0522b',
    '0a1620 17405a 3f86a5 d5dfd8 f7faf3 f2b632',
    '0f1a12 2b4a34 6f9470 dcd9b2 f8f6e6 e5622e',
    '1b1410 54382a a37a5a e3cfb0 f9f3e6 2b7f86',
  ],
  37: [
    '1b0a08 6a2214 c1502a f5a54a ffe8bd 2d7d7a',
    '160d12 4f2434 a24f45 efa863 fde7c8 f2c94c',
    '20100a 7a3b1a c9803c f5cf83 fff2d6 8e2a1c',
  ],
}

/** TV genres without palettes of their own, each with the movie genre whose palettes it uses. */
const movieGenreByTvGenre: Readonly<Record<number, number>> = { 10759: 28, 10765: 878, 10768: 36, 10762: 16 }

/** Returns the palettes of a genre. For an unknown genre, returns the palettes of drama. */
export function findPalettes(genre: number | undefined): readonly Palette[] {
  const paletteRows = hexRowsByGenre[movieGenreByTvGenre[genre ?? 0] ?? genre ?? 0] ?? hexRowsByGenre[18]!
  return paletteRows.map((paletteRow) => {
    const [ink, deep, mid, glow, pale, pop] = paletteRow.split(' ').map((hex) => `#${hex}`) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    return { ink, deep, mid, glow, pale, pop }
  })
}

/** Returns the relative luminance of a #rrggbb colour, 0 to 1 (WCAG 2.2). */
const getRelativeLuminance = (hex: string): number => {
  const getLinearChannel = (startIndex: number) => {
    const channelValue = Number.parseInt(hex.slice(startIndex, startIndex + 2), 16) / 255
    return channelValue <= 0.04045 ? channelValue / 12.92 : ((channelValue + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * getLinearChannel(1) + 0.7152 * getLinearChannel(3) + 0.0722 * getLinearChannel(5)
}

/** Returns the contrast ratio of two #rrggbb colours, 1 to 21 (WCAG 2.2, 1.4.3). */
export function computeContrastRatio(colourA: string, colourB: string): number {
  const luminances = [getRelativeLuminance(colourA), getRelativeLuminance(colourB)]
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

/**
 * Returns the first candidate with a contrast ratio of at least 4.5 to `background`, otherwise the candidate with the
 * highest contrast ratio.
 */
export function chooseReadableColour(background: string, ...candidates: readonly string[]): string {
  const readableColour = candidates.find((colour) => computeContrastRatio(background, colour) >= 4.5)
  return (
    readableColour ??
    candidates.reduce((bestColour, colour) =>
      computeContrastRatio(background, colour) > computeContrastRatio(background, bestColour)
        ? colour
        : bestColour,
    )
  )
}
