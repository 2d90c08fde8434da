/*
 * Inline script that runs before the first paint. It sets the theme and display preferences, redirects to the visitor's
 * language, and sends the first API requests while the code of the islands is loading.
 */
;(() => {
  const accessStorage = (kind, key, value) => {
    try {
      return value === undefined ? window[kind].getItem(key) : window[kind].setItem(key, value)
    } catch {
      return null
    }
  }
  const applyDisplaySettings = () => {
    const storedTheme = accessStorage('localStorage', 'marquee-theme')
    const isLight =
      storedTheme === 'light' ||
      (storedTheme !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
    document.documentElement.dataset.theme = isLight ? 'light' : 'dark'
    const { dataset } = document.documentElement
    const lite = accessStorage('localStorage', 'marquee-lite')
    /* Only the user agent distinguishes a television from a large desktop screen. */
    if (/\b(TV|SmartTV|Tizen|Web0S|BRAVIA|AFT\w+)\b/i.test(navigator.userAgent)) dataset.tv = ''
    if (lite === '1' || (lite !== '0' && isWeak())) dataset.lite = ''
    else delete dataset.lite
    /* Display preferences of the profile, which src/lib/stores/display-preferences.ts stores as data attributes of the root element. */
    let comfort = {}
    try {
      comfort = JSON.parse(accessStorage('localStorage', 'marquee-comfort')) ?? {}
    } catch {}
    /* Unchanged attributes are not set again, because some of them restyle every element of the page. */
    for (const name of ['text', 'contrast', 'motion', 'home']) if (!(name in comfort)) delete dataset[name]
    Object.assign(dataset, comfort)
  }
  /* Few cores, little memory, data saving, or slow frames earlier in the session (lite-mode-detection.ts). */
  const isWeak = () => {
    const { connection, deviceMemory, hardwareConcurrency } = navigator
    const hasFewResources = deviceMemory <= 2 || (hardwareConcurrency <= 2 && !(deviceMemory >= 4))
    return connection?.saveData || hasFewResources || accessStorage('sessionStorage', 'marquee-late') === '1'
  }
  applyDisplaySettings()
  if (window.__boot) return
  document.addEventListener('astro:after-swap', applyDisplaySettings)
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', applyDisplaySettings)

  /*
   * Language (Spec §9), in this order: query, cookie, local storage, session storage, browser. A locale in the path is an
   * explicit choice, which only the query overrides.
   */
  const locales = ['en', 'fr', 'ar']
  const pageLocale = document.documentElement.lang
  const queryLocale = new URLSearchParams(location.search).get('lng')
  const cookie = /(?:^|; )i18next=(\w+)/.exec(document.cookie)?.[1]
  const storedLocales = [
    cookie,
    accessStorage('localStorage', 'i18nextLng'),
    accessStorage('sessionStorage', 'i18nextLng'),
  ]
  const browserLocales = navigator.languages.map((language) => language.slice(0, 2))
  const locale =
    [queryLocale, ...(pageLocale === 'en' ? [...storedLocales, ...browserLocales] : [])].find((candidate) =>
      locales.includes(candidate),
    ) ?? pageLocale
  accessStorage('localStorage', 'i18nextLng', locale)
  if (locale !== pageLocale) {
    const path = location.pathname.replace(/^\/(fr|ar)(?=\/|$)/, '') || '/'
    const query = new URLSearchParams(location.search)
    query.delete('lng')
    const search = query.size > 0 ? `?${query}` : ''
    const target = (locale === 'en' ? '' : `/${locale}`) + path + search + location.hash
    /* A page that exists only at this address (not found) must not reload itself forever. */
    if (target !== location.pathname + location.search + location.hash) {
      location.replace(target)
      return
    }
  }

  /* The home page replaces a history entry that another profile opened, as in src/lib/stores/history-entries.ts. */
  const readProfile = () =>
    accessStorage('sessionStorage', 'marquee-profile') ?? accessStorage('localStorage', 'marquee-profile')
  const profile = readProfile()
  const entryProfile = history.state?.profile
  if (profile && entryProfile && entryProfile !== profile) {
    location.replace(pageLocale === 'en' ? '/' : `/${pageLocale}/`)
    return
  }

  /* The service worker (src/sw/worker.ts) is registered after the page has loaded, except in embedded players. */
  const runAfterLoad = (task) => {
    const schedule = () => setTimeout(task, 3_000)
    if (document.readyState === 'complete') schedule()
    else addEventListener('load', schedule, { once: true })
  }
  if (navigator.serviceWorker && !/^(\/\w\w)?\/watch\/embed/.test(location.pathname))
    runAfterLoad(async () => {
      try {
        await navigator.serviceWorker.register('/sw.js')
        const { active } = await navigator.serviceWorker.ready
        /* Images that were loaded before the worker was active. */
        const pictures = performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.startsWith(`${location.origin}/images/`))
        active.postMessage({ kind: 'shells', prefix: pageLocale === 'en' ? '' : `/${pageLocale}`, pictures })
      } catch {
        /* The browser refuses workers, or there is none (development). The site works without it. */
      }
    })

  /*
   * Code that fails to load has usually been removed by an update, so the page is reloaded, once per error message.
   * Offline a reload would not help.
   */
  const reloadOnce = (message) => {
    const key = `marquee-reloaded ${message}`
    if (navigator.onLine === false || accessStorage('sessionStorage', key)) return false
    accessStorage('sessionStorage', key, '1')
    location.reload()
    return true
  }
  addEventListener('vite:preloadError', (event) => {
    if (reloadOnce(event.payload?.message)) event.preventDefault()
  })
  addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } = event.detail ?? {}
    if (/import|load|fetch/i.test(error?.message ?? '')) reloadOnce(componentUrl)
  })

  /* On the player's page, early-playback.js has already sent the first requests. */
  const early = window.__early
  const boot = { reads: early?.reads ?? {} }
  window.__boot = boot
  /*
   * Resolves after the static page is painted; the page's scripts run after that (on the player's page, after the first
   * video frame). Otherwise scripts from the service worker's cache, which arrive at once, would delay the first paint.
   * The timeouts are for hidden and covered windows, which may paint no frame.
   */
  const waitForPaint = () =>
    new Promise((resolve) => {
      const waitForFrame = () => {
        setTimeout(resolve, document.hidden ? 0 : 1_000)
        requestAnimationFrame(() => setTimeout(resolve))
      }
      if (document.readyState === 'loading')
        document.addEventListener('readystatechange', waitForFrame, { once: true })
      else waitForFrame()
    })
  let scriptsAllowed = early?.turn ?? waitForPaint()
  /*
   * The build moves scripts and preload links into the template #modules. Without a service worker the preloads start at
   * once, except on the player's page, where the video needs the bandwidth.
   */
  let stylesLoaded
  boot.modules = () => {
    const { content } = document.getElementById('modules')
    /* The player's page contains the styles of its video (EarlyPlayback.astro); its islands wait for the style sheet. */
    const styles = document.getElementById('styles')?.content
    const loadStyles = (resolve) => {
      styles.firstChild.onload = styles.firstChild.onerror = resolve
      document.head.append(styles)
    }
    stylesLoaded = Promise.resolve(styles && new Promise(loadStyles)).then(() =>
      document.querySelector('style[data-first]')?.remove(),
    )
    if (!early && !navigator.serviceWorker?.controller)
      document.head.append(...content.querySelectorAll('link'))
    scriptsAllowed.then(() => document.head.append(content))
  }
  /* On client-side navigation the style sheet is added at once, and islands again wait for the first paint. */
  document.addEventListener('astro:before-swap', ({ newDocument }) => {
    scriptsAllowed = waitForPaint()
    newDocument.head.append(...(newDocument.getElementById('styles')?.content.childNodes ?? []))
    newDocument.querySelector('style[data-first]')?.remove()
  })
  /* Astro assigns its loader for `client:only` islands to `Astro.only` and reads it for each island. */
  let loadIsland
  window.Astro = {
    get only() {
      return (
        loadIsland &&
        ((...island) => scriptsAllowed.then(() => stylesLoaded).then(() => loadIsland(...island)))
      )
    },
    set only(loader) {
      loadIsland = loader
    },
  }

  const readTemplates = JSON.parse(document.querySelector('meta[name=boot-reads]').content)
  /* Other tabs may refresh at the same time: the server gives all of them the same new token. */
  const refresh = () => fetch('/api/auth/refresh', { method: 'POST', credentials: 'include' })
  /* A status of 422 concerns the watch parameters of the address, not the session. */
  boot.refresh = early
    ? early.answer.then((response) => (response.status === 422 ? refresh() : response))
    : refresh()
  const token = boot.refresh
    .then((response) => (response.ok ? response.clone().json() : null))
    .catch(() => null)
  const { reads } = boot
  const startRead = (url) => {
    reads[url] = Promise.all([token, early?.turn]).then(([tokens]) => {
      if (!tokens) throw new Error('signed out')
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      if (profile) headers['X-Profile-Id'] = profile
      return fetch(url, { headers, credentials: 'include' })
    })
    reads[url].catch(() => {})
  }
  /* `{kids:name}` becomes the genre parameters of a kids profile, in the same order as in src/lib/stores/titles.ts. */
  const isKids = (accessStorage('localStorage', 'marquee-kids') ?? '').split(' ').includes(profile)
  const kidsParameters = (_, name) => (isKids ? ['&kids=true', 10751, 10762, 16].join(`&${name}=`) : '')
  const today = Math.floor(Date.now() / 86_400_000)
  for (const template of readTemplates) {
    if (/\{(profile|slug)\}/.test(template) && !profile) continue
    const slug = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '')
    const url = template
      .replace('{profile}', profile ?? '')
      .replace('{slug}', encodeURIComponent(slug))
      .replace(/\{kids:([\w-]+)\}/, kidsParameters)
    startRead(url)
    if (/^\/api\/(movies\/featured|(movies|series)\/slug\/)/.test(url))
      reads[url].then(showHero).catch(() => {})
  }

  /* Shows the hero image and title before the code of the islands is loaded; the islands render the same at the same place. */
  async function showHero(response) {
    if (!response.ok) return
    const body = await response.clone().json()
    /* Replaced when another profile was selected (src/lib/client/profile-session.ts). */
    if (boot.reads !== reads) return
    const { results } = body
    if (results) boot.hero = results
    boot.show(results ? results[today % Math.min(5, results.length || 1)] : body, document)
  }
  /* Shows the hero that this profile's home page had earlier today (stores/home-hero.ts). */
  boot.early = () => {
    const stored = JSON.parse(accessStorage('localStorage', 'marquee-first') || 'null')
    const isUsable = stored?.profile === profile && stored.kids === isKids && stored.day === today
    if (boot.hero || !isUsable || readProfile() !== profile) return
    boot.hero = [stored.media]
    boot.show(stored.media, document)
  }
  /* Also used for a page that is about to be swapped in (media/open-title.ts). */
  boot.show = (media, page) => {
    const hero = page.querySelector('[data-early-hero]')
    const base = document.querySelector('meta[name=image-base]').content
    if (!(media && hero)) return
    const [image, fade, title] = hero.querySelectorAll('[data-early]')
    const isDrawn = media.backdrop_path?.startsWith('/drawn/')
    if (media.backdrop_path)
      image.src = `${isDrawn || !base ? '/images' : base}/${'lite' in document.documentElement.dataset ? 'w780' : 'w1280'}${media.backdrop_path}`
    title.firstElementChild.textContent = media.title
    for (const element of [image, fade, title]) element.hidden = false
    title.nextElementSibling.hidden = true
  }
})()
