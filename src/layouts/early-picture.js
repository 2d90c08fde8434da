/*
 * The first script of the player's page: asks for the session together with what the address names, in one call, and lets
 * the video play. The answers are left for the player (boot.reads), which takes them instead of asking again, and judges
 * for itself: it corrects what was begun here. What the profile may not see, the server does not answer. Until the first
 * picture is here, or it is clear that none comes soon, islands wait: on a weak device their code would stand in its way
 * (docs/decisions/0019-the-picture-comes-first.md).
 */
window.__early ??= (() => {
  /* After another page of ours there is a session, and all other scripts are here. */
  if (window.__boot) return null
  const query = new URLSearchParams(location.search)
  const type = query.get('type') === 'tv' ? 'tv' : 'movie'
  const tv = type === 'tv'
  const slug = query.get('slug')
  const place = tv ? { season: Number(query.get('season')), episode: Number(query.get('episode')) } : {}
  /* A series alone leaves to the player which episode is next. */
  if (!slug || (tv && !(query.has('season') && query.has('episode')))) {
    others()
    return null
  }

  const reads = {}
  /* For the profile that this device acted as last: storage, which knows this tab's, is slow to open, and read below. */
  const asked = fetch('/api/auth/refresh', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ watch: { type, slug, ...place } }),
  })
  const profile = stored('sessionStorage', 'marquee-profile') ?? stored('localStorage', 'marquee-profile')
  const sound = stored('localStorage', 'marquee-sound')
  const left = isElsewhere()
  /* Read once: a clone of a body costs a weak device more than making another answer of what was read. */
  const read = asked.then((one) => (one.ok ? one.json() : {}))
  const found = read.then((tokens) => {
    if (!tokens.watch || tokens.watch.profile_id !== profile || left) throw new Error('the player asks')
    return tokens
  })
  const begun = found.then(begin).catch(() => {})
  const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const turn = Promise.race([begun, later(2_000)])
  const styles = Promise.race([begun, later(500)])
  styles.then(others)
  const title = found.then(leave)
  title.catch(() => {})
  reads[`/api/${tv ? 'series' : 'movies'}/slug/${encodeURIComponent(slug)}`] = title
  return {
    /** The session, as if it had been asked for alone; nobody needs it sooner. */
    answer: turn
      .then(() => asked)
      .then(async (one) => (one.ok ? Response.json({ ...(await read), watch: undefined }) : one)),
    reads,
    /** When the picture is here, or does not come soon: islands and their scripts. */
    turn,
    /** The same, with less patience: what is drawn meanwhile. */
    styles,
  }

  /** The page's other inline scripts, which the build put aside (scripts/build.ts). */
  async function others() {
    if (document.readyState === 'loading')
      await new Promise((resolve) => document.addEventListener('readystatechange', resolve, { once: true }))
    const late = document.getElementById('late')
    if (late) document.body.append(late.content)
  }

  /** Whether boot.js will leave this page for another language: it keeps there what it found last. */
  function isElsewhere() {
    const chosen = stored('localStorage', 'i18nextLng')
    return query.has('lng') || (document.documentElement.lang === 'en' && (chosen ?? 'en') !== 'en')
  }

  /** Undefined where the browser refuses: then nothing is begun, and the player finds out by itself. */
  function stored(kind, key) {
    try {
      return window[kind].getItem(key)
    } catch {
      return undefined
    }
  }

  /** For whom asks by address; made of the answer once that stands in nobody's way. */
  function leave({ watch: { profile_id, media, history, episodes, stream } }) {
    const give = (url, value) => {
      reads[url] = turn.then(() => Response.json(value))
    }
    give(`/api/profile/${profile_id}/history/${type}/${media.id}`, history)
    if (episodes) give(`/api/seasons/${seasonOf(media).id}/episodes`, episodes)
    if (stream) give(lookupOf(media), stream)
    return turn.then(() => Response.json(media))
  }

  function seasonOf({ seasons }) {
    return seasons.find((one) => one.season_number === place.season)
  }

  function lookupOf({ imdb_id, original_title, year }) {
    const about = new URLSearchParams({ quality: 'auto', title: original_title.slice(0, 300) })
    if (year !== null) about.append('year', year)
    const path = tv ? `tv/${imdb_id}/${place.season}/${place.episode}` : `movie/${imdb_id}`
    return `/proxy/torrent-streamer/stream/${path}?${about}`
  }

  /** Where only the operator's resolver can tell. */
  async function lookUp({ access_token, watch: { profile_id, media } }) {
    if (!media.imdb_id) return null
    const headers = { Authorization: `Bearer ${access_token}`, 'X-Profile-Id': profile_id }
    const asked = fetch(lookupOf(media), { headers, credentials: 'include' })
    reads[lookupOf(media)] = asked.then((one) => one.clone())
    const one = await asked
    return one.ok ? one.json() : null
  }

  async function begin(tokens) {
    const { history, episodes } = tokens.watch
    const isHere = (one) => one.episode_number === place.episode
    if (tv && !episodes?.results.find(isHere)?.released) return
    const { sources = [] } = (tokens.watch.stream ?? (await lookUp(tokens))) || {}
    const video = await standing()
    const source = video.hasAttribute('src')
      ? null
      : best(sources, tokens.user.preferences.media_quality, video)
    if (!source) return
    if (sound) tune(video)
    const was = (one) => one.season === place.season && one.episode === place.episode
    const seen = tv ? history.episodes.find(was) : history.latest
    /* Laid out while the first bytes are on their way, not before they were asked for. */
    video.addEventListener(
      'loadstart',
      () => Object.assign(document.documentElement.dataset, { picture: '' }),
      {
        once: true,
      },
    )
    video.src = source.url
    if (seen && !seen.finished && seen.progress >= 5) resume(video, seen)
    video.play().catch(() => {})
    await shown(video)
  }

  /** As loud as it was last; what is kept may be damaged. */
  function tune(video) {
    try {
      const { volume, muted } = JSON.parse(sound)
      Object.assign(video, { volume, muted })
    } catch {
      /* As loud as the browser has it. */
    }
  }

  /** rules/player-quality.ts in short. */
  function best(sources, wish, video) {
    const lines = ({ quality }) => Number.parseInt(quality, 10) || 0
    const { saveData, effectiveType = '4g' } = navigator.connection ?? {}
    const slow = effectiveType.endsWith('2g') ? 360 : saveData || effectiveType === '3g' ? 480 : 0
    const shorter = Math.min(screen.width, screen.height) * devicePixelRatio
    const most = wish === 'auto' ? slow || Math.max(720, shorter * 1.25) : lines({ quality: wish })
    const bearable = sources.filter((one) => lines(one) <= most)
    const finest = bearable.sort((a, b) => (lines(b) || 1e4) - (lines(a) || 1e4))
    return finest.find(({ mime_type }) => video.canPlayType(mime_type))
  }

  /** rules/player-next.ts: a place beyond this file's end is the same share of it. */
  function resume(video, { progress, data }) {
    video.currentTime = progress
    const share = progress / data.video_duration
    const correct = () => {
      if (progress >= video.duration - 5) video.currentTime = share < 0.95 ? share * video.duration : 0
    }
    video.addEventListener('loadedmetadata', correct, { once: true })
  }

  /** Until a picture is on the screen; not every browser says when it is, and a hidden page draws none. */
  async function shown(video) {
    await new Promise((resolve) => {
      for (const name of ['loadeddata', 'error']) video.addEventListener(name, resolve, { once: true })
    })
    await Promise.race([new Promise((resolve) => video.requestVideoFrameCallback?.(resolve)), later(200)])
  }

  /** The video, once the markup has come to it. */
  function standing() {
    return new Promise((resolve) => {
      const look = () => {
        const found = document.getElementById('picture')
        if (found) resolve(found)
        return found !== null
      }
      const observer = new MutationObserver(() => look() && observer.disconnect())
      if (!look()) observer.observe(document, { childList: true, subtree: true })
    })
  }
})()
