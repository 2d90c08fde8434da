/** Sections whose data could not be loaded: each offers to try again, and shows no state that was not loaded. */
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { MediaDetails } from '../../src/lib/contract/media.ts'
import type { Profile } from '../../src/lib/contract/profiles.ts'
import type { ReadStore } from '../../src/lib/stores/query.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, getCard, network, profiles } = await signInHousehold()
const { $apiKeys } = await import('../../src/lib/stores/api-keys.ts')
const { $calendarFeed } = await import('../../src/lib/stores/calendar-feed.ts')
const { $rulesOfTitle, $rulesTitleId, getLimitsStore, getTitleRulesStore } = await import(
  '../../src/lib/stores/family.ts'
)
const { $historyImports } = await import('../../src/lib/stores/history-transfer.ts')
const { $identities } = await import('../../src/lib/stores/identities.ts')
const { $passkeys } = await import('../../src/lib/stores/passkeys.ts')
const { $secondFactor } = await import('../../src/lib/stores/second-factor.ts')
const { $familySettings, getChildOptionsStore, getViewingLimitsStore } = await import(
  '../../src/lib/stores/viewing-limits.ts'
)
const { $profiles } = await import('../../src/lib/stores/profile.ts')
const { $noticeRules } = await import('../../src/lib/stores/notice-rules.ts')
const { $currentTitle, $titleDetails, $titleProgress } = await import('../../src/lib/stores/titles.ts')
const { ApiKeySection } = await import('../../src/islands/account/ApiKeySection.tsx')
const { IdentitySection } = await import('../../src/islands/account/IdentitySection.tsx')
const { PastImports } = await import('../../src/islands/account/import/PastImports.tsx')
const { PasskeySection } = await import('../../src/islands/account/PasskeySection.tsx')
const { SecondFactorSection } = await import('../../src/islands/account/SecondFactorSection.tsx')
const { default: CalendarFeedDialog } = await import('../../src/islands/calendar/CalendarFeedDialog.tsx')
const { NoticeRuleButton } = await import('../../src/islands/detail/NoticeRuleButton.tsx')
const { PlayButton } = await import('../../src/islands/detail/PlayButton.tsx')
const { TitleSeenControls } = await import('../../src/islands/detail/TitleSeenControls.tsx')
const { AccountTimeSection } = await import('../../src/islands/family/AccountTimeSection.tsx')
const { ChildOptionsSection } = await import('../../src/islands/family/ChildOptionsSection.tsx')
const { LimitsSection } = await import('../../src/islands/family/LimitsSection.tsx')
const { default: TitleFamilyDialog } = await import('../../src/islands/family/TitleFamilyDialog.tsx')
const { TitleRulesSection } = await import('../../src/islands/family/TitleRulesSection.tsx')
const { ViewingTimeSection } = await import('../../src/islands/family/ViewingTimeSection.tsx')

await actAs('adult')
$rulesTitleId.set(getCard('Night Harbour').id)
const guestProfile = $profiles.get()?.find(({ profile_id }) => profile_id === profiles.guest) as Profile
const SECTIONS: [ComponentType<never>, ReadStore<unknown>][] = [
  [ApiKeySection, $apiKeys],
  [IdentitySection, $identities],
  [PastImports, $historyImports],
  [PasskeySection, $passkeys],
  [SecondFactorSection, $secondFactor],
  [CalendarFeedDialog, $calendarFeed],
  [AccountTimeSection, $familySettings],
  [ChildOptionsSection, getChildOptionsStore(profiles.guest)],
  [LimitsSection, getLimitsStore(profiles.guest)],
  [TitleFamilyDialog, $rulesOfTitle],
  [TitleRulesSection, getTitleRulesStore(profiles.guest)],
  [ViewingTimeSection, getViewingLimitsStore(profiles.guest)],
]
const namedSections = SECTIONS.map(([Section, $read]) => ({ name: Section.name, Section, $read }))

it.each(namedSections)(
  'after a failed read, $name shows an alert instead of switches and select fields until a later read succeeds',
  async ({ Section, $read }) => {
    const properties = { profile: guestProfile, title: getCard('Night Harbour'), onClose: () => {} }
    const renderSection = () => renderToStaticMarkup(createElement(Section, properties as never))
    network.failNext(/GET/, 404)
    $read.listen(() => {})
    await network.waitUntilIdle()
    expect($read.get().error).toMatchObject({ status: 404 })
    expect(renderSection()).toContain('role="alert"')
    expect(renderSection()).not.toMatch(/<select|role="switch"/)
    $read.revalidate()
    await network.waitUntilIdle()
    expect($read.get().data).toBeDefined()
    expect(renderSection()).not.toContain('role="alert"')
  },
)

it('after failed reads, the buttons of a title show neither progress nor a notice rule until later reads succeed', async () => {
  const { type, slug } = getCard('Iron Ledger')
  const movie = getCard('Night Harbour')
  $titleDetails.listen(() => {})
  $currentTitle.set({ type, slug })
  await network.waitUntilIdle()
  const details = $titleDetails.get().data as MediaDetails
  const renderPlayButton = () => renderToStaticMarkup(createElement(PlayButton, { details }))
  const renderToggles = () =>
    [NoticeRuleButton, TitleSeenControls].map((Control) =>
      renderToStaticMarkup(createElement(Control, { title: movie, name: movie.title })),
    )
  for (const $read of [$titleProgress, $noticeRules]) {
    network.failNext(/GET/, 404)
    $read.listen(() => {})
    await network.waitUntilIdle()
    expect($read.get().error).toMatchObject({ status: 404 })
  }
  expect(renderPlayButton()).not.toContain('detail:playEpisode')
  for (const markup of renderToggles()) expect(markup).not.toContain('aria-pressed')
  for (const $read of [$titleProgress, $noticeRules]) $read.revalidate()
  await network.waitUntilIdle()
  expect(renderPlayButton()).toContain('detail:playEpisode')
  for (const markup of renderToggles()) expect(markup).toContain('aria-pressed')
})
