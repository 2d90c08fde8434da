/*
 * First inline script of the player's page (docs/decisions/0016-early-playback.md). It starts playback before the
 * player's code is loaded:
 * 1. The video requests its bytes with a single request that is authenticated by the session cookie.
 * 2. After the first frame, or after 500 ms, the session is refreshed together with the data of the title in the address.
 * 3. If the server did not start the playback (saved progress, adaptive stream, external resolver), the refresh response
 *    determines the source.
 * All responses are passed to the player in `boot.reads`, so that it does not request them again. The player makes the final
 * choice of the source and corrects a wrong one. The server checks what the profile may watch.
 * Islands wait for the first frame or for a timeout, because on slow devices their code would delay the frame.
 */
window.__early ??= (() => {
  /* After client-side navigation, the session and all scripts are already loaded. */
  if (window.__boot) return null
  const query = new URLSearchParams(location.search)
  const type = query.get('type') === 'tv' ? 'tv' : 'movie'
  const isTv = type === 'tv'
  const slug = query.get('slug')
  const episodeRef = isTv
    ? { season: Number(query.get('season')), episode: Number(query.get('episode')) }
    : {}
  const profile =
    readStorage('sessionStorage', 'marquee-profile') ?? readStorage('localStorage', 'marquee-profile')
  /* boot.js leaves an entry of the history that another profile opened. */
  const entryProfile = history.state?.profile
  const isForeignEntry = profile && entryProfile && entryProfile !== profile
  /* If the address has no episode, the player chooses the next one. */
  if (!slug || isForeignEntry || (isTv && !(query.has('season') && query.has('episode')))) {
    runDeferredScripts()
    return null
  }

  const wait = (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
  const reads = {}
  const video = document.createElement('video')
  /* True once the player may control the video element, which must not be changed here any more. */
  let hasTimedOut = false
  const startedByServer =
    profile && !isLocaleRedirectPending() ? requestServerStart() : Promise.resolve(false)
  const refreshed = Promise.race([startedByServer, wait(500)]).then(() =>
    fetch('/api/auth/refresh', {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ watch: { type, slug, ...episodeRef } }),
    }),
  )
  /* The body is read once: on slow devices, cloning it takes longer than creating a new response from the parsed value. */
  const tokensRead = refreshed.then((response) => (response.ok ? response.json() : {}))
  const watchTokens = tokensRead.then((tokens) => {
    if (tokens.watch?.profile_id !== profile || isLocaleRedirectPending())
      throw new Error('the player has to request the title')
    return tokens
  })
  const startedByRefresh = watchTokens.then(playFromRefresh).catch(releaseSource)
  const timeout = wait(2_000).then(() => {
    hasTimedOut = true
  })
  const firstFrame = startedByServer.then((isPlaying) => isPlaying || startedByRefresh)
  const turn = Promise.race([firstFrame, timeout])
  /* The other inline scripts have a shorter timeout, because they render the loading state. */
  Promise.race([firstFrame, wait(500)]).then(runDeferredScripts)
  const title = watchTokens.then(provideReads)
  title.catch(() => {})
  reads[`/api/${isTv ? 'series' : 'movies'}/slug/${encodeURIComponent(slug)}`] = title
  return {
    /** The refresh response without the data of the title. It is not needed before `turn`. */
    answer: turn
      .then(() => refreshed)
      .then(async (response) =>
        response.ok ? Response.json({ ...(await tokensRead), watch: undefined }) : response,
      ),
    reads,
    /** Resolves with the first frame or after the timeout; then the scripts of the islands may run. */
    turn,
  }

  /** Runs the page's other inline scripts, which the build moves into the template #late (scripts/build.ts). */
  async function runDeferredScripts() {
    if (document.readyState === 'loading')
      await new Promise((resolve) => document.addEventListener('readystatechange', resolve, { once: true }))
    const template = document.getElementById('late')
    if (template) document.body.append(template.content)
  }

  /** True if boot.js will redirect to another language. */
  function isLocaleRedirectPending() {
    const storedLocale = readStorage('localStorage', 'i18nextLng')
    return query.has('lng') || (document.documentElement.lang === 'en' && (storedLocale ?? 'en') !== 'en')
  }

  /** Returns undefined if the browser denies access to the storage. */
  function readStorage(kind, key) {
    try {
      return window[kind].getItem(key)
    } catch {
      return undefined
    }
  }

  /** Provides the parts of the refresh response as responses by address, and returns the response of the title. */
  function provideReads({ watch: { profile_id, media, history, episodes, stream } }) {
    const provideRead = (url, value) => {
      reads[url] = turn.then(() => Response.json(value))
    }
    provideRead(`/api/profile/${profile_id}/history/${type}/${media.id}`, history)
    if (episodes) provideRead(`/api/seasons/${findSeason(media).id}/episodes`, episodes)
    if (stream) provideRead(streamLookupUrl(media), stream)
    return turn.then(() => Response.json(media))
  }

  function findSeason({ seasons }) {
    return seasons.find((season) => season.season_number === episodeRef.season)
  }

  function streamLookupUrl({ imdb_id, original_title, year }) {
    const parameters = new URLSearchParams({ quality: 'auto', title: original_title.slice(0, 300) })
    if (year !== null) parameters.append('year', year)
    const path = isTv ? `tv/${imdb_id}/${episodeRef.season}/${episodeRef.episode}` : `movie/${imdb_id}`
    return `/proxy/torrent-streamer/stream/${path}?${parameters}`
  }

  /** Looks up the streams with the operator's resolver. */
  async function lookUpStream({ access_token, watch: { profile_id, media } }) {
    if (!media.imdb_id) return null
    const headers = { Authorization: `Bearer ${access_token}`, 'X-Profile-Id': profile_id }
    const lookup = fetch(streamLookupUrl(media), { headers, credentials: 'include' })
    reads[streamLookupUrl(media)] = lookup.then((response) => response.clone())
    const response = await lookup
    return response.ok ? response.json() : null
  }

  /** Lets the server choose the source. Resolves with true if a frame is shown. */
  function requestServerStart() {
    const { saveData = false, effectiveType } = navigator.connection ?? {}
    const parameters = new URLSearchParams({
      type,
      slug,
      ...episodeRef,
      profile,
      screen: shorterScreenSidePx(),
      save_data: saveData,
    })
    if (effectiveType) parameters.append('line', effectiveType)
    video.preload = 'auto'
    video.src = `/proxy/torrent-streamer/begin?${parameters}`
    return playVideo()
  }

  /**
   * Starts playback and then replaces the page's video element, so that the layout happens only once.
   * Resolves with true if a frame is shown.
   */
  async function playVideo(progress) {
    restoreVolume()
    if (progress && !progress.finished && progress.progress >= 5) seekToProgress(progress)
    video.play().catch(() => {})
    const frameShown = waitForFrame()
    const placeholder = await findPageVideo()
    if (placeholder !== video) {
      for (const { name, value } of placeholder.attributes) video.setAttribute(name, value)
      placeholder.replaceWith(video)
      document.documentElement.dataset.picture = ''
    }
    return frameShown
  }

  /** Removes a source that must not play, so that the player finds an element without a source. */
  function releaseSource() {
    if (hasTimedOut) return
    video.removeAttribute('src')
    video.load()
  }

  /** Starts playback with the data of the refresh response. */
  async function playFromRefresh(tokens) {
    const { history, episodes, stream } = tokens.watch
    const isRequestedEpisode = (episode) => episode.episode_number === episodeRef.episode
    if (isTv && !episodes?.results.find(isRequestedEpisode)?.released) return releaseSource()
    const { sources = [] } = (stream ?? (await lookUpStream(tokens))) || {}
    const source = chooseSource(sources, tokens.user.preferences.media_quality)
    if (!source || hasTimedOut) return releaseSource()
    /* The server chooses by the same rule, so this is the source that already plays if the server started it. */
    video.dataset.plays = source.url
    if ((await startedByServer) || hasTimedOut) return
    delete video.dataset.plays
    video.src = source.url
    const isRequestedProgress = ({ season, episode }) =>
      season === episodeRef.season && episode === episodeRef.episode
    await playVideo(isTv ? history.episodes.find(isRequestedProgress) : history.latest)
  }

  /** Applies the stored volume. */
  function restoreVolume() {
    const sound = readStorage('localStorage', 'marquee-sound')
    if (!sound) return
    try {
      const { volume, muted } = JSON.parse(sound)
      Object.assign(video, { volume, muted })
    } catch {
      /* The stored value is invalid: the browser's default volume is used. */
    }
  }

  function shorterScreenSidePx() {
    return Math.max(1, Math.round(Math.min(screen.width, screen.height) * devicePixelRatio))
  }

  /** Chooses the source by the rule of rules/player-quality.ts. */
  function chooseSource(sources, preferredQuality) {
    const parseLines = (quality) => Number.parseInt(quality, 10) || 0
    const { saveData, effectiveType = '4g' } = navigator.connection ?? {}
    const slowNetworkLines = effectiveType.endsWith('2g') ? 360 : saveData || effectiveType === '3g' ? 480 : 0
    const maxLines =
      preferredQuality === 'auto'
        ? slowNetworkLines || Math.max(720, shorterScreenSidePx() * 1.25)
        : parseLines(preferredQuality)
    const rank = ({ quality }) => {
      const lines = parseLines(quality)
      return lines === 0 ? 0 : lines <= maxLines ? maxLines - lines + 1 : 10_000 + lines
    }
    const playable = sources.filter(({ mime_type }) => video.canPlayType(mime_type))
    return playable.sort((a, b) => rank(a) - rank(b))[0]
  }

  /** Seeks to the saved progress. If that is beyond the end of this file, it is scaled to its duration (rules/player-prompts.ts). */
  function seekToProgress({ progress, data }) {
    const share = progress / data.video_duration
    const correctPosition = () => {
      if (progress >= video.duration - 5) video.currentTime = share < 0.95 ? share * video.duration : 0
    }
    video.currentTime = progress
    video.addEventListener('loadedmetadata', correctPosition, { once: true })
  }

  /**
   * Resolves with true once a frame is shown, or with false if the video fails. The 200 ms timeout is for browsers without
   * requestVideoFrameCallback and for hidden pages.
   */
  async function waitForFrame() {
    const hasLoaded = await new Promise((resolve) => {
      video.addEventListener('loadeddata', () => resolve(true), { once: true })
      video.addEventListener('error', () => resolve(false), { once: true })
    })
    if (hasLoaded)
      await Promise.race([new Promise((resolve) => video.requestVideoFrameCallback?.(resolve)), wait(200)])
    return hasLoaded
  }

  /** Resolves with the page's video element as soon as the parser has created it. */
  function findPageVideo() {
    return new Promise((resolve) => {
      const checkForVideo = () => {
        const element = document.getElementById('picture')
        if (element) resolve(element)
        return element !== null
      }
      const observer = new MutationObserver(() => checkForVideo() && observer.disconnect())
      if (!checkForVideo()) observer.observe(document, { childList: true, subtree: true })
    })
  }
})()
