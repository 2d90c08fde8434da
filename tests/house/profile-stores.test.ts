/**
 * Everything that belongs to a profile is discarded when another profile is selected. Stores are therefore created by
 * the factory of src/lib/stores/per-profile.ts. Other stores, and module-level variables with content that can change,
 * are listed here with the owner of their data.
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Functions that create a store whose content belongs to a profile. */
const STORE_FACTORIES = ['perProfile', 'createReadStore', 'createDetailsStore', 'createFiltersStore']
/**
 * Stores whose content belongs to the account, the device, the page or the video, or is reset when another profile is
 * selected.
 */
const STORE_OWNERS_BY_FILE: Record<string, Record<string, string>> = {
  'src/lib/stores/admin/table-layouts.ts': { $tableLayouts: 'device' },
  'src/lib/stores/lite-mode.ts': { $liteMode: 'device' },
  'src/lib/stores/per-profile.ts': { $store: 'the factory' },
  'src/lib/stores/profile.ts': { $groupIds: 'device', $profiles: 'account' },
  'src/lib/stores/remote-phone.ts': { $phonePairing: 'device' },
  'src/lib/stores/remote-television.ts': { $televisionPairing: 'device' },
  'src/lib/stores/route-guard.ts': { $routeGuard: 'closed at every switch' },
  'src/lib/stores/second-factor-request.ts': { $secondFactorRequest: 'page' },
  'src/lib/stores/session.ts': { $session: 'account' },
  'src/lib/stores/theme.ts': { $theme: 'device' },
  'src/lib/stores/today.ts': { $today: 'device' },
  'src/islands/watch/caption-drawing.ts': { $captionDrawingState: 'video' },
  'src/islands/watch/controls.ts': {
    $areControlsKeptVisible: 'device',
    $areControlsVisible: 'page',
    $isNavigatingByKeyboard: 'page',
    $closeNextEpisodeCard: 'page',
    $openPanel: 'page',
  },
  'src/islands/watch/covering-screen.ts': { $coveringScreens: 'page' },
  'src/islands/watch/display-modes.ts': {
    $castState: 'device',
    $isCastAvailable: 'device',
    $isPictureInPicture: 'device',
    $isFullscreen: 'page',
  },
  'src/islands/watch/gestures.ts': { $touchSkip: 'page' },
  'src/islands/watch/seek-preview-state.ts': { $isKeyboardSeekPreviewShown: 'page' },
  'src/islands/watch/source-selection.ts': { $adaptiveHeights: 'video' },
  'src/islands/watch/stream-playback.ts': {
    $currentSource: 'video',
    $playbackError: 'video',
  },
  'src/islands/watch/still-watching.ts': { $isStillWatchingPromptOpen: 'page' },
  'src/islands/watch/text-captions.ts': { $activeCues: 'video' },
  'src/islands/watch/tracks.ts': { $isCaptionDelayShown: 'page' },
  'src/islands/watch/video-element.ts': {
    $bufferedSeconds: 'video',
    $isBuffering: 'video',
    $durationSeconds: 'video',
    $hasEnded: 'video',
    $isPaused: 'video',
    $playbackRate: 'video',
    $hasPlaybackStarted: 'video',
    $positionSeconds: 'video',
    $volumeState: 'device',
  },
}
/** Variables that hold no content of a profile, or that are reset when another profile is selected. */
const VARIABLE_OWNERS_BY_FILE: Record<string, Record<string, string>> = {
  'src/lib/client/auth.ts': {
    listeners: 'page',
    runningRefreshPromise: 'account',
    session: 'account',
    sessionStartPromise: 'account',
  },
  'src/lib/client/call.ts': {
    cacheTimersByUrl: 'writes to the read cache of the profile that sent the request',
    requestStartMsByUrl: 'times of requests',
    secondFactorPrompt: 'page',
  },
  'src/lib/client/direct-sends.ts': {
    directSendsByWriteKey: 'requests that are in progress, by profile',
  },
  'src/lib/client/profile-session.ts': {
    abortController: 'replaced at every switch',
    session: 'replaced at every switch',
    sessionStartListeners: 'page',
  },
  'src/lib/client/read-cache.ts': { storedReplyCountsByProfileId: 'numbers of replies, by profile' },
  'src/lib/stores/account-events.ts': {
    receivedEventKinds: 'names of kinds of changes',
    remoteControlListeners: 'page',
  },
  'src/lib/stores/kids-interface.ts': {
    speechLanguage: 'set at every switch',
    lastSpokenControl: 'element of the page',
    lastSpokenLabel: 'text on the page',
  },
  'src/lib/stores/flush-pending-writes.ts': { retryDelayMs: 'delay' },
  'src/lib/stores/lazy-outbox.ts': { outbox: 'module', outboxImportPromise: 'module' },
  'src/lib/stores/per-profile.ts': { profileResets: 'page' },
  'src/lib/stores/profile-changes.ts': { leavePromise: 'request that is in progress' },
  'src/lib/stores/profile.ts': { signedInUserId: 'account' },
  'src/lib/stores/query.ts': {
    cachedRepliesByKey: 'cleared at every switch',
    replyMerges: 'functions without data of a profile',
  },
  'src/lib/stores/reply-merges.ts': { replyMerges: 'functions without data of a profile' },
  'src/lib/stores/remote-phone.ts': { stopListening: 'device', lastSendPromise: 'device' },
  'src/lib/stores/remote-television.ts': { currentPairing: 'device' },
  'src/lib/stores/route-guard.ts': { redirectTarget: 'page that is being opened' },
  'src/lib/stores/second-factor-request.ts': { confirmationPromise: 'request that is in progress' },
  'src/islands/media/hover-intent.ts': {
    currentWaitController: 'pointer',
    onResume: 'pointer',
  },
  'src/islands/media/more-actions-button.ts': { currentButton: 'element of the page' },
  'src/islands/media/preview-triggers.ts': { titlesByCard: 'held by the elements of the page' },
  'src/islands/media/show-preview.tsx': { currentPreview: 'closed at every switch' },
  'src/islands/navigation-state.ts': {
    previousUrl: 'URL of the previous page of the current one',
    isModeActive: 'device',
  },
  'src/islands/watch/playback-lifecycle.ts': {
    cleanups: 'detached at every switch',
    startedPlayerKey: 'detached at every switch',
  },
  'src/islands/watch/ass-worker.ts': { renderer: 'ended with the subtitles of the video' },
  'src/islands/watch/caption-drawing.ts': { drawing: 'ended with the subtitles of the video' },
  'src/islands/watch/source-selection.ts': { failedSourceKeys: 'video' },
  'src/islands/watch/stream-playback.ts': { hls: 'detached at every switch' },
  'src/islands/watch/text-captions.ts': { originalTimesByCue: 'held by the cues of the video' },
  'src/islands/watch/video-element.ts': { video: 'detached at every switch' },
  'src/page-scripts/click-cover.ts': { uncoverPage: 'element of the page' },
  'src/page-scripts/focus-restoration.ts': {
    lastFocusPosition: 'element of the page',
    disabledElement: 'element of the page',
  },
  'src/page-scripts/lite-mode-detection.ts': { frameTimesMs: 'device' },
  'src/page-scripts/shell-prefetch.ts': {
    parsedPagesByShell: 'pages without data',
    htmlByShell: 'pages without data',
  },
  'src/ui/toast-outlets.ts': { outlets: 'elements of the page', listeners: 'page' },
  'src/ui/use-action.ts': { runningActionCounts: 'held by the dialogs of the page' },
  'src/ui/CardRow.tsx': {
    offsetsByScrollKey: 'cleared at every switch',
    tabStopIndexesByScrollKey: 'cleared at every switch',
  },
}
/** Globals that a derived store must not read: a change of a global does not recompute the store. */
const FORBIDDEN_GLOBALS = ['document', 'history', 'localStorage', 'location', 'sessionStorage']
const MUTABLE_COLLECTIONS = ['Map', 'Set', 'WeakMap', 'WeakSet']

const siteFiles = globSync('src/{lib/stores,lib/client,islands,ui,page-scripts}/**/*.{ts,tsx}').sort()
const storeFiles = siteFiles.filter((file) => file.startsWith('src/lib/stores/'))

function parseFile(file: string): ts.SourceFile {
  const scriptKind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, scriptKind)
}

/** Returns all nodes of a syntax tree. */
function listNodes(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node) => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(root)
  return nodes
}

/** Returns the names that a file imports from nanostores, by their local names. */
function listNanostoresImports(source: ts.SourceFile): Map<string, string> {
  const importedNamesByLocalName = new Map<string, string>()
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    if (statement.moduleSpecifier.text !== 'nanostores') continue
    const bindings = statement.importClause?.namedBindings
    if (bindings && ts.isNamespaceImport(bindings)) importedNamesByLocalName.set('*', bindings.name.text)
    if (bindings && ts.isNamedImports(bindings))
      for (const { name, propertyName } of bindings.elements)
        importedNamesByLocalName.set(name.text, (propertyName ?? name).text)
  }
  return importedNamesByLocalName
}

/** Returns the calls of the nanostores functions with these names. */
function listStoreCalls(source: ts.SourceFile, functionNames: readonly string[]): ts.CallExpression[] {
  const importedNamesByLocalName = listNanostoresImports(source)
  return listNodes(source).filter(
    (node): node is ts.CallExpression =>
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      functionNames.includes(importedNamesByLocalName.get(node.expression.text) ?? ''),
  )
}

/** Returns the name of the variable that a call initialises, or the text of the call if no variable is initialised. */
const getVariableName = (call: ts.CallExpression) =>
  ts.isVariableDeclaration(call.parent) ? call.parent.name.getText() : call.getText()

function listModuleVariables(source: ts.SourceFile): ts.VariableDeclaration[] {
  return source.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  )
}

const isLet = (declaration: ts.VariableDeclaration) => (declaration.parent.flags & ts.NodeFlags.Let) !== 0

/** Returns true for a number, a boolean or a timer, which cannot contain data of a profile. */
function isFreeOfProfileData({ initializer, type }: ts.VariableDeclaration): boolean {
  if (type?.getText().includes('ReturnType<typeof setTimeout>')) return true
  if (!initializer) return false
  if (ts.isNumericLiteral(initializer) || /^(Number|Date|performance)\./.test(initializer.getText()))
    return true
  return initializer.kind === ts.SyntaxKind.TrueKeyword || initializer.kind === ts.SyntaxKind.FalseKeyword
}

/** Returns true for a collection that is created empty, which means that code fills it later. */
function isEmptyCollection(initializer: ts.Expression | undefined): boolean {
  if (!initializer) return false
  if (ts.isNewExpression(initializer))
    return MUTABLE_COLLECTIONS.includes(initializer.expression.getText()) && !initializer.arguments?.length
  if (ts.isArrayLiteralExpression(initializer)) return initializer.elements.length === 0
  return ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0
}

const listMutableVariables = (source: ts.SourceFile) =>
  listModuleVariables(source)
    .filter((declaration) =>
      isLet(declaration) ? !isFreeOfProfileData(declaration) : isEmptyCollection(declaration.initializer),
    )
    .map((declaration) => declaration.name.getText())

const isStoreExpression = (node: ts.Expression): boolean =>
  ts.isIdentifier(node)
    ? node.text.startsWith('$')
    : ts.isCallExpression(node) && STORE_FACTORIES.includes(node.expression.getText())

describe.each(siteFiles)('the module %s', (file) => {
  const source = parseFile(file)

  it('creates every store with the factory for profile data, except the stores that STORE_OWNERS_BY_FILE lists', () => {
    expect(listNanostoresImports(source).has('*')).toBe(false)
    const storesWithoutFactory = listStoreCalls(source, ['atom', 'map', 'deepMap']).map(getVariableName)
    expect(storesWithoutFactory.sort()).toEqual(Object.keys(STORE_OWNERS_BY_FILE[file] ?? {}).sort())
  })

  it('computes the values of its derived stores only from other stores, and from no global of the browser', () => {
    for (const call of listStoreCalls(source, ['computed', 'batched'])) {
      const [dependencies, callback] = call.arguments
      const dependencyNodes =
        dependencies && ts.isArrayLiteralExpression(dependencies) ? dependencies.elements : [dependencies]
      for (const dependency of dependencyNodes)
        expect(dependency && isStoreExpression(dependency), call.getText()).toBe(true)
      const identifierNames = callback
        ? listNodes(callback)
            .filter(ts.isIdentifier)
            .map(({ text }) => text)
        : []
      expect(
        identifierNames.filter((name) => FORBIDDEN_GLOBALS.includes(name)),
        call.getText(),
      ).toEqual([])
    }
  })

  it('has no module-level variables with content that can change, except the listed variables', () => {
    expect(listMutableVariables(source).sort()).toEqual(
      Object.keys(VARIABLE_OWNERS_BY_FILE[file] ?? {}).sort(),
    )
  })
})

it('the lists of exceptions contain only existing files', () => {
  const listedFiles = [...Object.keys(STORE_OWNERS_BY_FILE), ...Object.keys(VARIABLE_OWNERS_BY_FILE)]
  expect(listedFiles.filter((file) => !siteFiles.includes(file))).toEqual([])
})

it('the checks find a store, a derived store and variables that break the rules', () => {
  const exampleCode = `
    import { atom as createAtom, computed, map } from 'nanostores'
    const $bare = createAtom(null)
    const $other = perProfile(() => 1)
    const $derived = computed([$other, elsewhere], () => localStorage.getItem('x'))
    let last: string | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOpen = false
    const seen = new Set()
    const CONSTANTS = new Set(['a'])
  `
  const source = ts.createSourceFile('x.ts', exampleCode, ts.ScriptTarget.Latest, true)
  expect(listStoreCalls(source, ['atom', 'map']).map(getVariableName)).toEqual(['$bare'])
  const [dependencyArray] = listStoreCalls(source, ['computed']).map((call) => call.arguments[0])
  expect([...(dependencyArray as ts.ArrayLiteralExpression).elements].map(isStoreExpression)).toEqual([
    true,
    false,
  ])
  expect(listMutableVariables(source)).toEqual(['last', 'seen'])
})

describe('tests of the stores', () => {
  const testSources = globSync('tests/stores/**/*.test.ts').map((file) => readFileSync(file, 'utf8'))
  /**
   * Store files that tests run through another store file. The key is the file; the value is the store file that tests
   * import.
   */
  const TESTED_STORE_BY_FILE: Record<string, string> = {
    'src/lib/stores/apply-preferences.ts': 'src/lib/stores/preferences.ts',
    'src/lib/stores/bulk-writes.ts': 'src/lib/stores/watchlist-bulk.ts',
    'src/lib/stores/call-after-sign-out.ts': 'src/lib/stores/sign-in.ts',
    'src/lib/stores/flush-pending-writes.ts': 'src/lib/stores/lazy-outbox.ts',
    'src/lib/stores/history-entries.ts': 'src/lib/stores/route-guard.ts',
    'src/lib/stores/jobs-version.ts': 'src/lib/stores/account-events.ts',
    'src/lib/stores/offline-search.ts': 'src/lib/stores/search.ts',
    'src/lib/stores/optimistic-writes.ts': 'src/lib/stores/viewing-limits.ts',
    'src/lib/stores/merge-reports.ts': 'src/lib/stores/player.ts',
    'src/lib/stores/player-stream.ts': 'src/lib/stores/player.ts',
    'src/lib/stores/progress-body.ts': 'src/lib/stores/save-progress.ts',
    'src/lib/stores/publish-pending-writes.ts': 'src/lib/stores/pending-writes.ts',
    'src/lib/stores/remote-pairing-page.ts': 'src/lib/stores/remote-television.ts',
    'src/lib/stores/send-leave.ts': 'src/lib/stores/profile-changes.ts',
    'src/lib/stores/send-write.ts': 'src/lib/stores/lazy-outbox.ts',
    'src/lib/stores/share-running-call.ts': 'src/lib/stores/profile-changes.ts',
  }

  it.each(storeFiles)('a test imports %s directly or through another store', (file) => {
    const testedFile = TESTED_STORE_BY_FILE[file] ?? file
    expect(testSources.some((testSource) => testSource.includes(`/${testedFile}'`))).toBe(true)
  })
})
