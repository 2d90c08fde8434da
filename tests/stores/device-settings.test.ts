/**
 * Settings that are stored on the device: theme, lite mode, subtitles, display preferences, and the hero of the home
 * page.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { getTitleOfTheDay } from '../../src/lib/rules/home-hero.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, browser, getCard, network, profiles } = await signInHousehold()
const { $theme, setTheme } = await import('../../src/lib/stores/theme.ts')
const { $liteMode, setLiteMode } = await import('../../src/lib/stores/lite-mode.ts')
const { $captionDelaysByTitleId, $captionPreferences, $deviceCaption, saveCaptionPreferences } = await import(
  '../../src/lib/stores/captions.ts'
)
const { storeHomeHero } = await import('../../src/lib/stores/home-hero.ts')
const { getDisplayAttributes } = await import('../../src/lib/stores/display-preferences.ts')
const { saveAccountPreferences, saveProfilePreferences } = await import('../../src/lib/stores/preferences.ts')
const { $profile } = await import('../../src/lib/stores/profile.ts')
const { setProfilePin, removeProfilePin } = await import('../../src/lib/stores/profile-changes.ts')
const { $user } = await import('../../src/lib/stores/session.ts')
const { signOut } = await import('../../src/lib/stores/sign-out.ts')
const { dismissToast, showToast, $toast } = await import('../../src/lib/stores/toast.ts')

const { dataset } = browser.document.documentElement
$user.listen(() => {})

beforeEach(() => actAs('adult'))

describe('theme', () => {
  it('the theme is stored, and is applied after the next frame', async () => {
    setTheme('light')
    expect($theme.get()).toBe('light')
    await waitFor(() => expect(dataset['theme']).toBe('light'))
    expect(localStorage.getItem('marquee-theme')).toBe('light')
    setTheme('system')
    await waitFor(() => expect(dataset['theme']).toBe('dark'))
  })

  it('a profile switch keeps the theme, because the theme belongs to the device', async () => {
    setTheme('light')
    await switchTo('kid')
    expect($theme.get()).toBe('light')
  })
})

describe('lite mode', () => {
  it('turning lite mode on or off applies immediately and is stored, and automatic mode deletes the stored value', () => {
    setLiteMode('1')
    expect([dataset['lite'], localStorage.getItem('marquee-lite')]).toEqual(['', '1'])
    setLiteMode('0')
    expect([dataset['lite'], localStorage.getItem('marquee-lite')]).toEqual([undefined, '0'])
    setLiteMode('auto')
    expect(localStorage.getItem('marquee-lite')).toBeNull()
    expect($liteMode.get()).toBe('auto')
  })
})

describe('subtitle preferences', () => {
  it('each profile has its own subtitle preferences', async () => {
    const defaultPreferences = $captionPreferences.get()
    saveCaptionPreferences({ on: true, lang: 'fr' })
    expect($captionPreferences.get()).toMatchObject({ on: true, lang: 'fr' })
    await switchTo('kid')
    expect($captionPreferences.get()).toEqual(defaultPreferences)
    await switchTo('adult')
    expect($captionPreferences.get()).toMatchObject({ on: true, lang: 'fr' })
  })

  it('selecting another profile resets the subtitle delay and removes the opened subtitle file', async () => {
    $captionDelaysByTitleId.setKey('7', 0.5)
    $deviceCaption.set({
      playerKey: '7',
      isSelected: true,
      lang: 'en',
      label: 'x.srt',
      webVtt: 'WEBVTT',
      styledScript: null,
    })
    await switchTo('kid')
    expect([$captionDelaysByTitleId.get(), $deviceCaption.get()]).toEqual([{}, null])
    await switchTo('adult')
    expect([$captionDelaysByTitleId.get(), $deviceCaption.get()]).toEqual([{}, null])
  })

  it('subtitle preferences apply even if the storage is full', async () => {
    const storage = localStorage as unknown as { isFull: boolean }
    storage.isFull = true
    saveCaptionPreferences({ on: true, lang: 'ar' })
    storage.isFull = false
    expect($captionPreferences.get()).toMatchObject({ lang: 'ar' })
  })
})

describe('display preferences', () => {
  it('display preferences become attributes of the page, except default values', async () => {
    await saveProfilePreferences({
      text_size: 130,
      high_contrast: true,
      less_motion: true,
      simple_home: true,
    })
    expect(dataset).toMatchObject({ text: '130', contrast: 'high', motion: 'less', home: 'simple' })
    await switchTo('kid')
    expect([dataset['text'], dataset['contrast'], dataset['motion'], dataset['home']]).toEqual(
      Array(4).fill(undefined),
    )
    await switchTo('adult')
    expect(dataset).toMatchObject({ text: '130' })
    expect(JSON.parse(localStorage.getItem('marquee-comfort') ?? '')).toEqual(
      getDisplayAttributes($profile.get()?.preferences as never),
    )
    await saveProfilePreferences({
      text_size: 100,
      high_contrast: false,
      less_motion: false,
      simple_home: false,
    })
    expect(dataset['text']).toBeUndefined()
  })

  it('the contrast is high for every profile while the system is set to high contrast', async () => {
    const systemMatchMedia = globalThis.matchMedia
    globalThis.matchMedia = ((query: string) => ({ matches: query === '(prefers-contrast: more)' })) as never
    await switchTo('kid')
    expect(dataset['contrast']).toBe('high')
    globalThis.matchMedia = systemMatchMedia
    await switchTo('adult')
    expect(dataset['contrast']).toBeUndefined()
  })
})

describe('account preferences', () => {
  it('account preferences that the adult is saving during a switch are saved, but a kids profile cannot save account preferences without the password', async () => {
    const releaseRequest = network.hold(/PUT/)
    const savePromise = saveAccountPreferences({ media_quality: '1080p' })
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await savePromise
    expect($user.get()?.preferences.media_quality).toBe('1080p')
    const kidsSavePromise = saveAccountPreferences({ media_quality: 'auto' })
    await expect(kidsSavePromise).rejects.toMatchObject({ status: 403, errors: { password: ['needed'] } })
    await switchTo('adult')
    await saveAccountPreferences({ media_quality: 'auto' })
  })

  it('a rejected change of account preferences keeps the previous values', async () => {
    network.failNext(/PUT/, 422)
    await expect(saveAccountPreferences({ media_quality: '720p' })).rejects.toMatchObject({ status: 422 })
    expect($user.get()?.preferences.media_quality).toBe('auto')
  })
})

describe('the hero of the home page', () => {
  const titles = ['Night Harbour', 'Cold Verdict'].map(getCard)
  const readStoredHero = () => JSON.parse(localStorage.getItem('marquee-first') ?? 'null')

  it('the hero changes daily among the first five titles', () => {
    const manyTitles = Array.from({ length: 9 }, (_, index) => ({ id: String(index) })) as never[]
    expect(getTitleOfTheDay(manyTitles, 7)).toEqual({ id: '2' })
    expect(getTitleOfTheDay(manyTitles, 8)).toEqual({ id: '3' })
    expect(getTitleOfTheDay([])).toBeUndefined()
  })

  it('the hero is stored together with the profile for which it was shown', () => {
    storeHomeHero(titles)
    expect(readStoredHero()).toMatchObject({
      profile: profiles.adult,
      kids: false,
      media: getTitleOfTheDay(titles),
    })
  })

  it('the stored hero is deleted when another profile is selected', async () => {
    storeHomeHero(titles)
    await switchTo('kid')
    expect(readStoredHero()).toBeNull()
  })

  it('the hero is not stored for a locked profile', async () => {
    await setProfilePin(profiles.adult, { pin: '1234' })
    storeHomeHero(titles)
    expect(readStoredHero()).toBeNull()
    await removeProfilePin(profiles.adult, { pin: '1234' })
  })
})

describe('toast messages', () => {
  it('a new message replaces the previous message, and only the displayed message can be dismissed', () => {
    showToast('common:added')
    const firstToast = $toast.get()
    showToast('common:removed', { kind: 'bad' })
    dismissToast(firstToast?.id ?? 0)
    expect($toast.get()).toMatchObject({ key: 'common:removed', kind: 'bad' })
    dismissToast($toast.get()?.id ?? 0)
    expect($toast.get()).toBeNull()
  })

  it('a profile switch removes the message together with its Undo button', async () => {
    showToast('common:added', { undo: () => {} })
    await switchTo('kid')
    expect($toast.get()).toBeNull()
  })
})

describe('signing out', () => {
  it('signing out deletes the stored hero', async () => {
    storeHomeHero(['Paper Kites'].map(getCard))
    await signOut()
    expect(localStorage.getItem('marquee-first')).toBeNull()
  })
})
