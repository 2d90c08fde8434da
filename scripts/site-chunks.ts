/**
 * Decides which modules of the site share a file. A page with few files loads fast, but it must not load
 * modules that it uses later or never.
 */

/**
 * Returns a pattern of paths below `src/`. `prefixesByFolder` maps each folder to the prefixes of module names in the
 * folder. A prefix may be a regular expression.
 */
const buildPathPattern = (prefixesByFolder: Record<string, readonly string[]>): string =>
  Object.entries(prefixesByFolder)
    .map(([folder, names]) => `${folder}/(${names.join('|')})`)
    .join('|')
    .replaceAll('/', '\\/')

const DASHBOARD_PATTERN = buildPathPattern({
  islands: ['dashboard'],
  'lib/stores': ['admin'],
  'lib/contract': ['admin'],
})

/** Modules that several pages share, but that the first view of the home page does not need. */
const LATE_SHARED_PATTERN = buildPathPattern({
  ui: [
    'copy-text',
    'Dialog',
    'dialog-opening',
    'Field',
    'is-phone',
    'is-television',
    'QrCode',
    'Saved',
    'Select',
    'StepFocus',
    'Switch',
    'toast-outlets',
    'ToastOutlet',
    'use-action',
    'use-form-action',
    'use-saved-choice',
  ],
  islands: [
    'auth/format',
    'ConfirmActions',
    'DeviceActivity',
    'SectionPlaceholder',
    'format-device-name',
    'identity/',
    'remote/',
    'second-factor',
    'media/FeedbackButtons',
    'media/Name',
  ],
  'lib/client': ['events', 'device-code-events', 'exit-lock', 'ignore-not-found'],
  'lib/contract': [
    'account',
    'api-keys',
    'device-sign-in',
    'email-change',
    'feedback',
    'identities',
    'invitations',
    'lists',
    'notice-rules',
    'notices',
    'passkeys',
    'ratings',
    'remote',
    'second-factor',
  ],
  'lib/i18n': ['format-instant', 'name-language'],
  'lib/rules': [
    'calendar-days',
    'dashboard-sections',
    'fold-letters',
    'number-input',
    'parental-guide',
    'remote-commands',
    'user-code',
  ],
  'lib/stores': [
    'api-keys',
    'call-after-sign-out',
    'device-sign-in',
    'email-change',
    'feedback',
    'identities',
    'jobs-version',
    'named-list',
    'passkey',
    'path-after-sign-in',
    'provider-sign-in',
    'ratings',
    'remote-',
    'second-factor',
    'share-running-call',
    'sign-in',
    'sign-out',
    'sign-up',
    'title-reloads',
    'today',
    'update-user',
  ],
})

/**
 * Modules that are loaded after the first render. They must not be part of the file `titles`, because pages load that
 * file before the first render.
 */
const DEFERRED_PATTERN = buildPathPattern({
  ui: ['Keypad', 'PinInput', 'Saved', 'Switch', 'pin-digits', 'use-saved-choice'],
  islands: [
    'SectionPlaceholder',
    'SingleKeySwitch',
    'errors',
    'family',
    'lists',
    'observe-page',
    'ratings',
    'remote/',
    'search/',
    'seen',
    'sticky-bar',
    'use-settled-count',
  ],
  'islands/auth': ['NewPasswordField'],
  'islands/browse': ['GuideFilter'],
  'islands/calendar': [''],
  'islands/detail': [
    'NotInLibrary',
    'NoticeRuleButton',
    'RecapButton',
    'SeenControls',
    'TitleEndTime',
    'TitleSeenControls',
    'TrackingControls',
  ],
  'islands/history': [''],
  'islands/home': [
    'CharacterRow',
    'CustomiseHomeDialog',
    'DeferredHomeSection',
    'HeroSynopsis',
    'hero-rotation',
    'HomeRowMenu',
    'RecommendationReason',
  ],
  'islands/media': [
    'EndTime',
    'InfiniteScroll',
    'Preview',
    'SmallPoster',
    'TitlePreview',
    'extra-video',
    'hover-intent',
    'list-end-times',
    'long-press',
    'more-actions-button',
    'Name',
    'preview',
    'show-preview',
  ],
  'islands/statistics': [''],
  'islands/watch': ['KeyboardShortcutsDialog', 'caption-canvas'],
  lib: ['single-key-shortcuts'],
  'lib/client': ['edit-key', 'exit-lock', 'fetch-file', 'lost-reply', 'prefetch-read', 'read-cache'],
  'lib/contract': [
    'bin',
    'calendar',
    'characters',
    'family',
    'hidden-titles',
    'lists',
    'notice-delivery',
    'notice-rules',
    'playback',
    'remote',
    'statistics',
    'viewing-time',
    'viewings',
    'watch-requests',
  ],
  'lib/i18n': ['format-clock-time', 'format-day-name', 'name-language'],
  'lib/rules': [
    'added-viewing-time',
    'ass-subtitles',
    'calendar-days',
    'end-by',
    'episode-order',
    'fold-letters',
    'job-groups',
    'keep-positions',
    'list-filter',
    'list-pages',
    'local-time',
    'maturity',
    'move-home-row',
    'notice-rules',
    'number-input',
    'play-action',
    'playback-start',
    'player-quality',
    'preview-position',
    'progress',
    'remote-commands',
    'tracking-limits',
    'viewing-time',
  ],
  'lib/stores': [
    'account',
    'apply-preferences',
    'availability',
    'bin',
    'browse',
    'bulk-writes',
    'calendar',
    'characters',
    'family',
    'group',
    'hero-synopsis',
    'history-edits',
    'jobs-version',
    'kids-interface',
    'merge-reports',
    'named-list',
    'new-titles',
    'notice-panel',
    'notice-rules',
    'notice-settings',
    'optimistic-writes',
    'parent',
    'pending-marks',
    'preferences',
    'preview',
    'profile-changes',
    'progress',
    'recap',
    'recommendation-settings',
    'remote-',
    'reply-merges',
    'save-progress',
    'search\\.',
    'send-leave',
    'signal-switches',
    'statistics',
    'title-progress',
    'viewing-limits',
    'viewing-time',
    'viewings',
    'watch-requests',
    'watch-state',
    'watchlist-bulk',
  ],
})

/** These modules are not in the file of the forms, because the player loads that file but has no tabs. */
const TABS_PATTERN = buildPathPattern({ ui: ['faded-sides', 'Tabs', 'Toolbar', 'use-optimistic-change'] })

const FORMS_PATTERN = buildPathPattern({
  ui: ['Field'],
  islands: ['auth(?!/NewPasswordField)', 'onboarding'],
  'islands/account': ['(?!TasteTab|tastes)'],
  'islands/browse': ['(?!GuideFilter)'],
  'islands/profiles': ['(?!Avatar\\.)'],
  'lib/rules': ['password', 'title-options'],
})

/**
 * The select component, and modules that title pages share with other pages. Title pages and Statistics load this
 * file without the file of the forms.
 */
const SELECTS_PATTERN = buildPathPattern({
  ui: ['Select'],
  'islands/detail': ['EpisodeOverview', 'EpisodeStill'],
  'islands/media': ['network-name'],
  'lib/rules': ['spoilers'],
})

/**
 * Modules of named lists and modules of the release calendar. Each of these two groups is one file. The code of the
 * home page contains the name of every file that a deferred section needs, so fewer files make this code smaller.
 */
const LISTS_PATTERN = buildPathPattern({
  islands: ['observe-page'],
  'lib/contract': ['lists'],
  'lib/stores': ['named-list'],
})
const CALENDAR_PATTERN = buildPathPattern({
  'lib/contract': ['calendar'],
  'lib/rules': ['calendar-days'],
  'lib/stores': ['today'],
})

/**
 * Icons for the files `common` and `titles`. Excluded are `eye` and `eye-off`, which have a file of their own, and two
 * icons that many pages share but that the home page does not need.
 */
const SHARED_ICON_PATTERN = 'src\\/icons\\/(?!eye|search-x|circle-exclamation-point)'

const createSourcePattern = (pattern: string) => new RegExp(`src\\/(${pattern})`)
const buildSourcePatternExcept = (...patterns: string[]) => `src\\/(?!${patterns.join('|')})(lib|ui|islands)`

export const CHUNK_GROUPS = [
  /* All islands share one copy of the React runtime. */
  { name: 'client', test: /node_modules\/(react-dom|@astrojs\/react|scheduler)\//, priority: 3 },
  /* The router is loaded after the first render (src/lib/client-navigation.ts). */
  {
    name: 'router',
    test: /astro:transitions|astro\/dist\/(transitions|virtual-modules|runtime\/server)/,
    priority: 3,
  },
  {
    name: 'common',
    test: new RegExp(
      `${buildSourcePatternExcept(DASHBOARD_PATTERN, LATE_SHARED_PATTERN)}|${SHARED_ICON_PATTERN}|nanostores`,
    ),
    minShareCount: 10,
    priority: 2,
  },
  /*
   * Most other modules that pages share are in this single file, because a browser opens only six connections, and the
   * first API request needs one of these connections.
   */
  {
    name: 'titles',
    test: new RegExp(
      buildSourcePatternExcept(
        DASHBOARD_PATTERN,
        LATE_SHARED_PATTERN,
        DEFERRED_PATTERN,
        SELECTS_PATTERN,
        FORMS_PATTERN,
        TABS_PATTERN,
      ),
    ),
    minShareCount: 2,
    priority: 1,
  },
  /* The icons `eye` and `eye-off` are not in the file `forms`, because the home page needs one of them but no form. */
  { name: 'eye', test: /src\/icons\/eye/, minShareCount: 2, priority: 1 },
  /* The components that show names are not in the file of the forms, because pages without forms use them too. */
  { name: 'names', test: /src\/.*\/(media\/Name|name-language)\.tsx?/, minShareCount: 2, priority: 2 },
  { name: 'tabs', test: createSourcePattern(TABS_PATTERN), minShareCount: 2, priority: 1 },
  { name: 'forms', test: createSourcePattern(FORMS_PATTERN), minShareCount: 2, priority: 1 },
  { name: 'choices', test: createSourcePattern(SELECTS_PATTERN), minShareCount: 2, priority: 1 },
  { name: 'saved-choice', test: /src\/ui\/(Saved|use-saved-choice)/, minShareCount: 2, priority: 1 },
  { name: 'lists', test: createSourcePattern(LISTS_PATTERN), minShareCount: 2, priority: 1 },
  { name: 'releases', test: createSourcePattern(CALENDAR_PATTERN), minShareCount: 2, priority: 1 },
  /* Small modules that the outbox shares with other deferred code. */
  { name: 'writes', test: /src\/.*\/(lost-reply|progress-body)\.ts/, minShareCount: 2, priority: 2 },
  /* Modules that title pages share with the previews of cards, or with the account events. */
  {
    name: 'feedback',
    test: /src\/.*\/(feedback|FeedbackButtons|contract\/notice-rules|title-progress|title-reloads)\.tsx?/,
    minShareCount: 2,
    priority: 0,
  },
  {
    name: 'navigation',
    test: /src\/icons\/(archive|ban|clapperboard|file-clock|folder-open|import|list-checks|mail-plus)\.ts/,
    minShareCount: 2,
    priority: 2,
  },
  { name: 'titles', test: new RegExp(SHARED_ICON_PATTERN), minShareCount: 5, priority: 1 },
  { name: 'icons', test: /src\/icons\//, minShareCount: 3, priority: 0 },
]
