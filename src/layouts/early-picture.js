/*
 * The first script of the player's page. It has the picture's bytes come with one request that the session's cookie answers,
 * and lets the video play; once there is a picture, it asks for the session together with what the address names. Where the
 * server does not begin (a place to go on from, a stream that adapts, an outside resolver), the session's answer does. All
 * answers are left for the player (boot.reads), which takes them instead of asking again, and judges for itself: it corrects
 * what was begun here. What the profile may not see, the server does not answer. Until the first picture is here, or it is
 * clear that none comes soon, islands wait: on a weak device their code would stand in its way
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

  const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const reads = {}
  const profile = stored('sessionStorage', 'marquee-profile') ?? stored('localStorage', 'marquee-profile')
  const video = document.createElement('video')
  /* From then on the player may have the element in its hands. */
  let isOver = false
  const first = profile && !isElsewhere() ? beginning() : Promise.resolve(false)
  const asked = Promise.race([first, later(500)]).then(() =>
    fetch('/api/auth/refresh', {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ watch: { type, slug, ...place } }),
    }),
  )
  /* Read once: a clone of a body costs a weak device more than making another answer of what was read. */
  const read = asked.then((one) => (one.ok ? one.json() : {}))
  const found = read.then((tokens) => {
    if (tokens.watch?.profile_id !== profile || isElsewhere()) throw new Error('the player asks')
    return tokens
  })
  const begun = found.then(goOn).catch(letGo)
  const patience = later(2_000).then(() => {
    isOver = true
  })
  const shows = first.then((came) => came || begun)
  const turn = Promise.race([shows, patience])
  /* The same, with less patience: what is drawn meanwhile. */
  Promise.race([shows, later(500)]).then(others)
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

  /** Undefined where the browser refuses. */
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

  /** Whether what the server took to be wanted shows a picture. */
  function beginning() {
    const { saveData = false, effectiveType } = navigator.connection ?? {}
    const about = new URLSearchParams({
      type,
      slug,
      ...place,
      profile,
      screen: shorter(),
      save_data: saveData,
    })
    if (effectiveType) about.append('line', effectiveType)
    video.preload = 'auto'
    video.src = `/proxy/torrent-streamer/begin?${about}`
    return play()
  }

  /** In the place of the page's own element, which was laid out for the first time then. */
  async function play(seen) {
    tune()
    if (seen && !seen.finished && seen.progress >= 5) resume(seen)
    video.play().catch(() => {})
    const shown = isShown()
    const stood = await standing()
    if (stood !== video) {
      for (const { name, value } of stood.attributes) video.setAttribute(name, value)
      stood.replaceWith(video)
      document.documentElement.dataset.picture = ''
    }
    return shown
  }

  /** What was begun for nothing: the player finds an element without a source. */
  function letGo() {
    if (isOver) return
    video.removeAttribute('src')
    video.load()
  }

  /** With the session's answer. */
  async function goOn(tokens) {
    const { history, episodes, stream } = tokens.watch
    const isHere = (one) => one.episode_number === place.episode
    if (tv && !episodes?.results.find(isHere)?.released) return letGo()
    const { sources = [] } = (stream ?? (await lookUp(tokens))) || {}
    const source = best(sources, tokens.user.preferences.media_quality)
    if (!source || isOver) return letGo()
    /* The server chose by the same rule among the same sources: for the player it is this one that plays. */
    video.dataset.plays = source.url
    if ((await first) || isOver) return
    delete video.dataset.plays
    video.src = source.url
    const was = (one) => one.season === place.season && one.episode === place.episode
    await play(tv ? history.episodes.find(was) : history.latest)
  }

  /** As loud as it was last; what is kept may be damaged. */
  function tune() {
    const sound = stored('localStorage', 'marquee-sound')
    if (!sound) return
    try {
      const { volume, muted } = JSON.parse(sound)
      Object.assign(video, { volume, muted })
    } catch {
      /* As loud as the browser has it. */
    }
  }

  function shorter() {
    return Math.max(1, Math.round(Math.min(screen.width, screen.height) * devicePixelRatio))
  }

  /** rules/player-quality.ts in short. */
  function best(sources, wish) {
    const lines = (quality) => Number.parseInt(quality, 10) || 0
    const { saveData, effectiveType = '4g' } = navigator.connection ?? {}
    const slow = effectiveType.endsWith('2g') ? 360 : saveData || effectiveType === '3g' ? 480 : 0
    const most = wish === 'auto' ? slow || Math.max(720, shorter() * 1.25) : lines(wish)
    const rank = ({ quality }) => {
      const own = lines(quality)
      return own === 0 ? 0 : own <= most ? most - own + 1 : 10_000 + own
    }
    const playable = sources.filter(({ mime_type }) => video.canPlayType(mime_type))
    return playable.sort((a, b) => rank(a) - rank(b))[0]
  }

  /** rules/player-next.ts: a place beyond this file's end is the same share of it. */
  function resume({ progress, data }) {
    const share = progress / data.video_duration
    const correct = () => {
      if (progress >= video.duration - 5) video.currentTime = share < 0.95 ? share * video.duration : 0
    }
    video.currentTime = progress
    video.addEventListener('loadedmetadata', correct, { once: true })
  }

  /** Whether a picture is on the screen, once that is clear; not every browser says when, and a hidden page draws none. */
  async function isShown() {
    const came = await new Promise((resolve) => {
      video.addEventListener('loadeddata', () => resolve(true), { once: true })
      video.addEventListener('error', () => resolve(false), { once: true })
    })
    if (came)
      await Promise.race([new Promise((resolve) => video.requestVideoFrameCallback?.(resolve)), later(200)])
    return came
  }

  /** The page's own video, once the markup has come to it. */
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
