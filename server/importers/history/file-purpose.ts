/** Derives from the name of a file, or of an array in a JSON file, what its entries mean. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'

export type FilePurpose = 'watchlist' | 'ratings' | 'history' | 'favourites' | 'dropped'

/** The first pattern that matches determines the purpose: `Favourites and Wishlist` is a watchlist. */
const PURPOSE_PATTERNS: readonly (readonly [FilePurpose, RegExp])[] = [
  [
    'watchlist',
    /watch ?list|wish ?list|to ?watch|want to|plan ?to|planned|my ?list|merkliste|a voir|envies|pendiente|por ver|para ver|quero ver|da vedere|te kijken|kijklijst|do obejrzenia|chce (?:obejrzec|zobaczyc)|izlenecek|буду смотреть|хочу посмотреть|想看|للمشاهدة/u,
  ],
  ['dropped', /dropped|abandon|abgebrochen/u],
  [
    'ratings',
    /rating|rated|score|bewertung|calificacion|puntuacion|valoracion|avaliac|valutazion|\bvot[io]\b|beoordeling|\boceny\b|\bpuanlar|оценк|评分|تقييم/u,
  ],
  [
    'favourites',
    /favou?rit|favoris|\bliked\b|\blikes\b|preferit|ulubion|favori(?:ler)?\b|избранн|любим|喜欢|مفضل/u,
  ],
  [
    'history',
    /history|watched|viewed|viewing|\bseen(?: ?list)?\b|diary|playback|verlauf|gesehen|historique|\bvus?\b|\bvues\b|historial|\bvist[oai]s?\b|historico|assistid|cronologia|geschiedenis|bekeken|gezien|obejrzane|\bizlenen|\bizledik|просмотр|看过|看過|已看|观影|观看|سجل|شوهد|مشاهدات/u,
  ],
]

/**
 * Returns what the entries of a file are, such as viewings; null if the file name in `path` does not show it. The
 * folders of `path` are separated by `/`.
 */
export const parsePathPurpose = (path: string): FilePurpose | null =>
  parseFilePurpose(path.split('/').at(-1) ?? '')

/** Returns what the entries of a file with this name are; null if the name does not show it. */
export function parseFilePurpose(name: string): FilePurpose | null {
  const foldedName = foldSearchText(name.slice(0, 300))
  return PURPOSE_PATTERNS.find(([, pattern]) => pattern.test(foldedName))?.[0] ?? null
}
