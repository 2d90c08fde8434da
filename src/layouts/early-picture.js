/*
 * Runs in the head, before any other code is here: looks up what the address names, and lets the video play. The
 * answers are left for the player (boot.reads), which takes them instead of asking again, and judges for itself: it
 * corrects what was begun here. What the profile may not see, the server does not answer. Until the first picture is
 * here, or it is clear that none comes soon, islands wait: on a weak device their code would stand in its way
 * (docs/decisions/0012-player.md).
 */
window.__boot.picture ??= (async () => {
  const boot = window.__boot
  const query = new URLSearchParams(location.search)
  const slug = query.get('slug')
  if (!boot?.refresh || !boot.profile || !slug) return
  const read = (url) => boot.read(url).then((answer) => (answer.ok ? answer.clone().json() : null))
  const tv = query.get('type') === 'tv'
  const place = tv && { season: Number(query.get('season')), episode: Number(query.get('episode')) }
  const media = await read(`/api/${tv ? 'series' : 'movies'}/slug/${encodeURIComponent(slug)}`)
  if (!media?.imdb_id) return
  const past = read(`/api/profile/${boot.profile}/history/${tv ? 'tv' : 'movie'}/${media.id}`)
  if (tv && !(query.has('season') && query.has('episode'))) return
  const wanted = new URLSearchParams({ quality: 'auto', title: media.original_title.slice(0, 300) })
  if (media.year !== null) wanted.append('year', media.year)
  const path = tv ? `tv/${media.imdb_id}/${place.season}/${place.episode}` : `movie/${media.imdb_id}`
  const season = tv && media.seasons?.find((one) => one.season_number === place.season)
  const [stream, history, list, tokens] = await Promise.all([
    read(`/proxy/torrent-streamer/stream/${path}?${wanted}`),
    past,
    season ? read(`/api/seasons/${season.id}/episodes`) : null,
    boot.token,
  ])
  const released = !tv || list?.results.find((one) => one.episode_number === place.episode)?.released
  const video = await standing()
  if (!stream || !history || !released || video.hasAttribute('src')) return

  /* rules/player-quality.ts in short. */
  const lines = ({ quality }) => Number.parseInt(quality, 10) || 0
  const wish = tokens.user.preferences.media_quality
  const { saveData, effectiveType = '4g' } = navigator.connection ?? {}
  const slow = effectiveType.endsWith('2g') ? 360 : saveData || effectiveType === '3g' ? 480 : 0
  const shorter = Math.min(screen.width, screen.height) * devicePixelRatio
  const most = wish === 'auto' ? slow || Math.max(720, shorter * 1.25) : lines({ quality: wish })
  const fitting = stream.sources.filter((one) => video.canPlayType(one.mime_type) && lines(one) <= most)
  const source = fitting.sort((a, b) => (lines(b) || 1e4) - (lines(a) || 1e4))[0]
  if (!source) return
  try {
    const { volume, muted } = JSON.parse(localStorage.getItem('marquee-sound'))
    Object.assign(video, { volume, muted })
  } catch {
    /* As loud as the browser has it. */
  }
  const seen = tv
    ? history.episodes.find((one) => one.season === place.season && one.episode === place.episode)
    : history.latest
  video.src = source.url
  if (seen && !seen.finished && seen.progress >= 5) {
    video.currentTime = seen.progress
    /* rules/player-next.ts: a place beyond this file's end is the same share of it. */
    const share = seen.progress / seen.data.video_duration
    const correct = () => {
      if (seen.progress >= video.duration - 5) video.currentTime = share < 0.95 ? share * video.duration : 0
    }
    video.addEventListener('loadedmetadata', correct, { once: true })
  }
  video.play().catch(() => {})
  await new Promise((resolve) => {
    for (const name of ['loadeddata', 'error']) video.addEventListener(name, resolve, { once: true })
  })

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
})().catch(() => {})
window.__boot.turn = Promise.race([
  window.__boot.picture,
  new Promise((resolve) => setTimeout(resolve, 2_000)),
])
