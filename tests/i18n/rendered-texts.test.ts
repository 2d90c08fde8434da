/** Texts as the islands render them, in the language of the page. */
import { atom } from 'nanostores'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { formatLastUse } from '../../src/islands/account/IdentitySection.tsx'
import { ImportPanel } from '../../src/islands/account/import/ImportPanel.tsx'
import { NewPasswordField } from '../../src/islands/auth/NewPasswordField.tsx'
import { JobDialog } from '../../src/islands/dashboard/system/JobDialog.tsx'
import { SettingRow } from '../../src/islands/dashboard/system/SettingRow.tsx'
import { Name, TitleName } from '../../src/islands/media/Name.tsx'
import { Poster } from '../../src/islands/media/Poster.tsx'
import { getRowTitles } from '../../src/islands/media/PosterRow.tsx'
import { TitleFacts } from '../../src/islands/media/TitleFacts.tsx'
import { PinMessage } from '../../src/islands/profiles/PinMessage.tsx'
import { SectionPlaceholder } from '../../src/islands/SectionPlaceholder.tsx'
import { PlaybackErrorScreen } from '../../src/islands/watch/PlaybackErrorScreen.tsx'
import { $playbackError } from '../../src/islands/watch/stream-playback.ts'
import { ApiError } from '../../src/lib/client/errors.ts'
import type { Job, Setting } from '../../src/lib/contract/admin.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'
import type { TranslationNamespace } from '../../src/lib/i18n/keys.ts'
import type { Locale } from '../../src/lib/i18n/locales.ts'
import { t } from '../../src/lib/i18n/t.ts'
import { $openedImport, type HistoryImportDetails } from '../../src/lib/stores/history-transfer.ts'
import type { PlayerState } from '../../src/lib/stores/player.ts'
import type { ReadState } from '../../src/lib/stores/query.ts'
import { openTranslatedPage } from '../support/translated-page.ts'

const FRENCH_MOVIE = {
  title: 'La Haine',
  title_lang: 'fr',
  type: 'movie',
  year: 1995,
  slug: 'la-haine',
} as MediaCard
const NAMESPACES: TranslationNamespace[] = [
  'auth',
  'common',
  'dashboard',
  'dashboardlibrary',
  'dashboardsystem',
  'errors',
  'profiles',
  'security',
  'transfer',
  'watch',
]

const openPage = (locale: Locale) => openTranslatedPage(locale, NAMESPACES)
afterEach(() => Reflect.deleteProperty(globalThis, 'document'))

test('the password strength is shown only after a character was typed', () => {
  openPage('en')
  const renderPasswordField = (password: string) =>
    renderToStaticMarkup(
      createElement(NewPasswordField, { label: 'Password', value: password, onChange: () => {} }),
    )
  expect(renderPasswordField('')).not.toContain('Password strength')
  expect(renderPasswordField('abc')).toContain('Password strength: Weak')
})

test('the alert for a wrong PIN states the initial waiting time and does not change during the countdown', () => {
  openPage('en')
  const renderMessage = (secondsLeft: number) =>
    renderToStaticMarkup(
      createElement(PinMessage, { errorText: 'Wrong PIN', countdown: { startSeconds: 30, secondsLeft } }),
    )
  const findAlert = (html: string) => /<span role="alert">.*?<\/span><\/span>/.exec(html)?.[0]
  const alerts = [30, 29].map((secondsLeft) => findAlert(renderMessage(secondsLeft)))
  expect(alerts[0]).toContain('0:30')
  expect(alerts[1]).toBe(alerts[0])
  expect(renderMessage(29)).toMatch(/<span role="timer">[^<]*0:29<\/span>/)
  expect(renderMessage(0)).not.toMatch(/timer|0:/)
})

test('the rating of a title has the decimal separator of the page language, and the age rating "All" is translated', () => {
  const title = { type: 'movie', rating: 8.2, year: 2024, rated: 'All', runtime: 7_500 } as MediaCard
  const renderTitleFacts = () => renderToStaticMarkup(createElement(TitleFacts, { title }))
  openPage('fr')
  expect(renderTitleFacts()).toMatch(/★ <\/span>8,2<.*Tous publics<.*>2\u00a0h\u00a005</)
  openPage('ar')
  expect(renderTitleFacts()).toMatch(/★ <\/span>8\.2<.*لجميع الأعمار<.*>2 س 05 د</)
})

test('for a title that the profile may not see, the player shows the hint "not available" instead of "not in the library"', () => {
  openPage('en')
  const playerState = { status: 'nothing', media: null } as const
  const html = renderToStaticMarkup(
    createElement(PlaybackErrorScreen, { player: playerState, isEmbedded: true }),
  )
  expect(html).toContain(t('watch:notAvailableHint'))
  expect(html).not.toContain(t('watch:nothingHint'))
})

test('in Arabic sentences, names and values in Latin letters are put into bidi isolates', () => {
  openPage('ar')
  const setting = { key: 'default_language', kind: 'choice', value: 'ar', default: 'en', variable: null }
  const html = renderToStaticMarkup(createElement(SettingRow, { setting: setting as unknown as Setting }))
  expect(html).toContain('\u2068English\u2069')
  $playbackError.set('busy')
  const player = { status: 'ready', stream: { busy_with: { profiles: ['Ann', 'Bo'] } } }
  const busyHtml = renderToStaticMarkup(
    createElement(PlaybackErrorScreen, { player: player as unknown as PlayerState, isEmbedded: true }),
  )
  expect(busyHtml).toContain('\u2068Ann\u2069، \u2068Bo\u2069')
  $playbackError.set(null)
})

test('an import that lists 50 people states that only 50 people are listed, and an import that lists 49 people does not', () => {
  openPage('en')
  const renderImport = (ownerCount: number) => {
    const owners = Array.from({ length: ownerCount }, (_, index) => ({ name: `Person ${index}`, count: 1 }))
    const rows = { matched: 0, ambiguous: 0, unmatched: 0, ignored: 0, skipped: 0, total: ownerCount }
    const historyImport = { import_id: '1', file_name: 'a.json', status: 'failed', files: [], owners, rows }
    $openedImport.set(historyImport as unknown as HistoryImportDetails)
    return renderToStaticMarkup(createElement(ImportPanel, { importId: '1' }))
  }
  expect(renderImport(50)).toContain('Only 50 people are listed.')
  expect(renderImport(49)).not.toContain('people are listed')
  $openedImport.set(null)
})

test('a section shows its skeleton while loading, and "Try again" if loading failed and there is no earlier data', () => {
  openPage('en')
  const renderPlaceholder = (readState: ReadState<string>) =>
    renderToStaticMarkup(
      createElement(
        SectionPlaceholder,
        { $read: Object.assign(atom(readState), { revalidate: () => {} }) },
        'skeleton',
      ),
    )
  const error = new ApiError({ type: 'server_error', status: 500, message: 'Failed' })
  expect(renderPlaceholder({ loading: true })).toBe('skeleton')
  expect(renderPlaceholder({ error, loading: false })).toContain(t('common:tryAgain'))
  expect(renderPlaceholder({ data: 'reply', error, loading: false })).toBe('')
})

test('getRowTitles returns undefined while a row loads, and an empty list if loading failed and there is no earlier data', () => {
  expect(getRowTitles({ loading: true })).toBeUndefined()
  expect(
    getRowTitles({
      error: new ApiError({ type: 'server_error', status: 500, message: 'Failed' }),
      loading: false,
    }),
  ).toEqual([])
})

test('the plural form of the unit of a setting matches the number', () => {
  const formatUnits = (locale: Locale, counts: number[]) => {
    openPage(locale)
    return counts.map((count) => t('dashboardsystem:unit_days', { count }))
  }
  expect(formatUnits('en', [1, 7])).toEqual(['day', 'days'])
  expect(formatUnits('fr', [1, 7])).toEqual(['jour', 'jours'])
  expect(formatUnits('ar', [1, 7, 30, 100])).toEqual(['يوم', 'أيام', 'يومًا', 'يوم'])
})

test('the name of a title is marked with the language that the server states, and any other name with the language of its script', () => {
  openPage('en')
  expect(renderToStaticMarkup(createElement(TitleName, { title: FRENCH_MOVIE }))).toBe(
    '<bdi lang="fr">La Haine</bdi>',
  )
  const renderName = (text: string) => renderToStaticMarkup(createElement(Name, { text }))
  expect(renderName('باب الحديد')).toContain('lang="ar"')
  expect(renderName('Omar Sharif')).toBe('<bdi>Omar Sharif</bdi>')
  openPage('ar')
  expect(renderName('Omar Sharif')).toBe('<bdi lang="en">Omar Sharif</bdi>')
})

test('the text of an identity that was never used states the day on which the identity was linked', () => {
  openPage('fr')
  expect(formatLastUse({ last_used: null, created_at: '2025-10-25T12:00:00Z' })).toBe('Associé le 25/10/2025')
})

test('in the Arabic job dialog, values have the direction of the page, and file names and paths in the values are bidi isolates', () => {
  openPage('ar')
  const job = {
    kind: 'import_imdb',
    status: 'done',
    started_at: '2026-11-29T17:00:00Z',
    created_at: '2026-11-29T17:00:00Z',
    finished_at: null,
    message: null,
    input: { folder: '/srv/imdb' },
    report: { reasons: ['title.akas.tsv.gz:77: is not UTF-8 text'], skips: ['a line without a reason'] },
  } as unknown as Job
  const html = renderToStaticMarkup(createElement(JobDialog, { job, onClose: () => {} }))
  const values = [...html.matchAll(/<dd[^>]*>(.*?)<\/dd>/g)].map((match) => match[1] ?? '')
  expect(values.join()).toContain('\u2068title.akas.tsv.gz:77\u2069')
  expect(values).toContain('\u2068/srv/imdb\u2069')
  // `dir="auto"`, which is the default of `bdi`, would take the direction from the name of the file.
  expect(values.filter((value) => value.includes('<bdi'))).toEqual([])
})

test('the accessible name of a poster is text in which the name of the title is marked with its language', () => {
  openPage('en')
  for (const hasCaption of [true, false]) {
    const html = renderToStaticMarkup(createElement(Poster, { title: FRENCH_MOVIE, hasCaption }))
    expect(html).not.toContain('aria-label')
    expect(html).toContain('<span class="sr-only"><span lang="fr">La Haine</span>, movie, 1995</span>')
  }
})
