/**
 * First inline script of the watch page (docs/decisions/0016-early-playback.md). It starts playback before the player's
 * code is loaded. The refresh of the session also returns the data of the title in the URL. This script plays the
 * source that the player would choose. The player receives all responses, so that it does not send the same requests
 * again. The player makes the final choice and replaces a wrong source. The server checks what the profile may watch.
 * Islands wait for the first frame or for a timeout, because on slow devices their code would delay the frame.
 */
import { isEntryOfOtherProfile } from '../../lib/history-entry.ts'
import {
  canPlayNatively,
  readDeliveryOptions,
  readPlaybackEnvironment,
} from '../../lib/playback-environment.ts'
import {
  findRequestedProgress,
  isPlaybackRequestComplete,
  isRequestedEpisodeReleased,
  type PlaybackRequest,
  parsePlaybackRequest,
} from '../../lib/rules/playback-start.ts'
import { choosePlayableSource } from '../../lib/rules/player-quality.ts'
import { readActingProfileId } from '../../lib/storage.ts'
import { addPlaybackReads, buildTitleUrl, lookUpStream, type RefreshReply } from './early-reads.ts'
import { playVideo, waitForDelay } from './early-video.ts'
import { refreshSession } from './first-reads.ts'
import { detectLocale, getPageLocale } from './locale-redirect.ts'

/** After this time, the scripts of the page run even if no frame is shown, and the player controls the video. */
const SCRIPTS_TIMEOUT_MS = 2_000
/** The other inline scripts wait for a shorter time, because they show the loading state. */
const INLINE_SCRIPTS_TIMEOUT_MS = 500

window.__early ??= startEarlyPlayback()

function startEarlyPlayback(): EarlyPlayback | null {
  // After client-side navigation, the session and all scripts are already loaded.
  if (window.__boot) return null
  const request = parsePlaybackRequest(location.search)
  // If another profile opened the history entry, the boot script replaces it, so nothing is played here.
  if (!request || !isPlaybackRequestComplete(request) || isEntryOfOtherProfile(readActingProfileId())) {
    void runDeferredScripts()
    return null
  }
  const tokenResponse = refreshSession({
    watch: { ...request, ...readDeliveryOptions(readActingProfileId()) },
  })
  // The body is read once: on slow devices, cloning it takes longer than creating a new response from the parsed value.
  const refreshReply = tokenResponse.then((response) =>
    response.ok ? (response.json() as Promise<RefreshReply>) : null,
  )
  const playbackStart = refreshReply.then(requirePlaybackStart)
  const scriptsTimeoutPromise = waitForDelay(SCRIPTS_TIMEOUT_MS)
  const reads: EarlyPlayback['reads'] = {}
  const firstFrame = playbackStart
    .then((tokens) => playVideoEarly(request, tokens, reads, scriptsTimeoutPromise))
    .catch(() => false)
  const scriptPermission = Promise.race([firstFrame, scriptsTimeoutPromise])
  void Promise.race([firstFrame, waitForDelay(INLINE_SCRIPTS_TIMEOUT_MS)]).then(runDeferredScripts)
  const titleResponse = playbackStart.then(({ watch }) =>
    addPlaybackReads(reads, request, watch, scriptPermission),
  )
  titleResponse.catch(() => {})
  reads[buildTitleUrl(request)] = titleResponse
  return {
    refreshResponse: scriptPermission
      .then(() => tokenResponse)
      .then(async (response) =>
        response.ok ? Response.json({ ...(await refreshReply), watch: undefined }) : response,
      ),
    reads,
    scriptPermission,
  }
}

type PlaybackTokens = RefreshReply & { watch: NonNullable<RefreshReply['watch']> }

/**
 * Throws when the reply contains no title for the acting profile, or when the page is not in the language of the
 * visitor. The player then requests the title itself.
 */
function requirePlaybackStart(reply: RefreshReply | null): PlaybackTokens {
  const isUsable = reply?.watch?.profile_id === readActingProfileId() && detectLocale() === getPageLocale()
  if (!reply?.watch || !isUsable) throw new Error('the player has to request the title')
  return reply as PlaybackTokens
}

/**
 * Plays the source that the player would choose. Resolves with true once a frame is shown, and with false if
 * nothing plays.
 */
async function playVideoEarly(
  request: PlaybackRequest,
  tokens: PlaybackTokens,
  reads: EarlyPlayback['reads'],
  scriptsTimeoutPromise: Promise<void>,
): Promise<boolean> {
  let hasTimedOut = false
  void scriptsTimeoutPromise.then(() => {
    hasTimedOut = true
  })
  const { watch: playbackStart } = tokens
  if (!isRequestedEpisodeReleased(playbackStart.episodes?.results, request)) return false
  const stream =
    playbackStart.stream ?? (await lookUpStream(reads, request, tokens.access_token, playbackStart))
  const video = document.createElement('video')
  const source = choosePlayableSource(stream?.sources ?? [], tokens.user.preferences.media_quality, {
    canPlay: (mimeType) => canPlayNatively(video, mimeType),
    ...readPlaybackEnvironment(),
  })
  if (!source || hasTimedOut) return false
  video.src = source.url
  return playVideo(video, findRequestedProgress(playbackStart.history, request))
}

/** Runs the page's other inline scripts, which the build moves into the template `#late` (scripts/build.ts). */
async function runDeferredScripts(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('readystatechange', resolve, { once: true }))
  const template = document.getElementById('late') as HTMLTemplateElement | null
  if (template) document.body.append(template.content)
}
