/* Runs before anything is drawn: theme, comfort, language, and the first requests, while the islands' code still loads. */
;(() => {
  const store = (kind, key, value) => {
    try {
      return value === undefined ? window[kind].getItem(key) : window[kind].setItem(key, value)
    } catch {
      return null
    }
  }
  const theme = () => {
    const chosen = store('localStorage', 'marquee-theme')
    const light =
      chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
    document.documentElement.dataset.theme = light ? 'light' : 'dark'
    const look = document.documentElement.dataset
    const lite = store('localStorage', 'marquee-lite')
    /* Televisions say so; nothing else tells them from a large screen on a desk. */
    if (/\b(TV|SmartTV|Tizen|Web0S|BRAVIA|AFT\w+)\b/i.test(navigator.userAgent)) look.tv = ''
    if (lite === '1' || (lite !== '0' && isWeak())) look.lite = ''
    else delete look.lite
    /* What the profile asked for on any device: src/lib/stores/comfort.ts keeps it here, as attributes of the page. */
    let comfort = {}
    try {
      comfort = JSON.parse(store('localStorage', 'marquee-comfort')) ?? {}
    } catch {}
    /* What stays the same is not touched: some of these reach every element of the page. */
    for (const name of ['text', 'contrast', 'motion', 'home']) if (!(name in comfort)) delete look[name]
    Object.assign(look, comfort)
  }
  /* Few cores or little memory, a viewer who saves data, or frames that came late before (late-frames.ts). */
  const isWeak = () => {
    const { connection, deviceMemory, hardwareConcurrency } = navigator
    const small = deviceMemory <= 2 || (hardwareConcurrency <= 2 && !(deviceMemory >= 4))
    return connection?.saveData || small || store('sessionStorage', 'marquee-late') === '1'
  }
  theme()
  if (window.__boot) return
  document.addEventListener('astro:after-swap', theme)
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', theme)

  /* Language (Spec, section 9): query, cookie, local storage, session storage, browser. A page with a locale in its address was asked for. */
  const known = ['en', 'fr', 'ar']
  const here = document.documentElement.lang
  const asked = new URLSearchParams(location.search).get('lng')
  const cookie = /(?:^|; )i18next=(\w+)/.exec(document.cookie)?.[1]
  const stored = [cookie, store('localStorage', 'i18nextLng'), store('sessionStorage', 'i18nextLng')]
  const browser = navigator.languages.map((one) => one.slice(0, 2))
  const wanted =
    [asked, ...(here === 'en' ? [...stored, ...browser] : [])].find((one) => known.includes(one)) ?? here
  store('localStorage', 'i18nextLng', wanted)
  if (wanted !== here) {
    const path = location.pathname.replace(/^\/(fr|ar)(?=\/|$)/, '') || '/'
    const query = new URLSearchParams(location.search)
    query.delete('lng')
    const rest = query.size > 0 ? `?${query}` : ''
    const target = (wanted === 'en' ? '' : `/${wanted}`) + path + rest + location.hash
    /* An address that has no page in that language (not found) stays as it is. */
    if (target !== location.pathname + location.search + location.hash) {
      location.replace(target)
      return
    }
  }

  /* After the first screen: the worker that answers when the network is off (src/sw/worker.ts). A page framed by others has none. */
  const settled = (work) => {
    const soon = () => setTimeout(work, 3_000)
    if (document.readyState === 'complete') soon()
    else addEventListener('load', soon, { once: true })
  }
  if (navigator.serviceWorker && !/^(\/\w\w)?\/watch\/embed/.test(location.pathname))
    settled(async () => {
      try {
        await navigator.serviceWorker.register('/sw.js')
        const { active } = await navigator.serviceWorker.ready
        /* What was shown before it was there. */
        const pictures = performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.startsWith(`${location.origin}/images/`))
        active.postMessage({ kind: 'shells', prefix: here === 'en' ? '' : `/${here}`, pictures })
      } catch {
        /* Refused by the browser, or not built (development): the site works as before. */
      }
    })

  /* Code that cannot be had, as after an update: one reload per message brings the new site. Offline it would bring nothing. */
  const lost = (message) => {
    const key = `marquee-reloaded ${message}`
    if (navigator.onLine === false || store('sessionStorage', key)) return false
    store('sessionStorage', key, '1')
    location.reload()
    return true
  }
  addEventListener('vite:preloadError', (event) => {
    if (lost(event.payload?.message)) event.preventDefault()
  })
  addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } = event.detail ?? {}
    if (/import|load|fetch/i.test(error?.message ?? '')) lost(componentUrl)
  })

  /* The player's page has asked already (early-picture.js). */
  const early = window.__early
  const boot = { reads: early?.reads ?? {} }
  window.__boot = boot
  /*
   * First what the page brings is drawn, then its scripts run; on the player's page the picture comes before them.
   * Where the worker has everything, their code is there at once, and the first picture would wait for all of it.
   * A window that is covered may draw no frame at all.
   */
  const drawn = () =>
    new Promise((resolve) => {
      const soon = () => {
        setTimeout(resolve, document.hidden ? 0 : 1_000)
        requestAnimationFrame(() => setTimeout(resolve))
      }
      if (document.readyState === 'loading')
        document.addEventListener('readystatechange', soon, { once: true })
      else soon()
    })
  let turn = early?.turn ?? drawn()
  /* The build puts them aside. Those who have to fetch them begin at once, unless the line is needed for something better. */
  let styled
  boot.modules = () => {
    const { content } = document.getElementById('modules')
    /* The player's page brings what its picture needs (EarlyPicture.astro), its interface waits for the rest. */
    const styles = document.getElementById('styles')?.content
    const come = (resolve) => {
      styles.firstChild.onload = styles.firstChild.onerror = resolve
      document.head.append(styles)
    }
    styled = Promise.resolve(styles && new Promise(come)).then(() =>
      document.querySelector('style[data-first]')?.remove(),
    )
    if (!early && !navigator.serviceWorker?.controller)
      document.head.append(...content.querySelectorAll('link'))
    turn.then(() => document.head.append(content))
  }
  /* After another page the style sheet is here, and its islands let it be drawn as well. */
  document.addEventListener('astro:before-swap', ({ newDocument }) => {
    turn = drawn()
    newDocument.head.append(...(newDocument.getElementById('styles')?.content.childNodes ?? []))
    newDocument.querySelector('style[data-first]')?.remove()
  })
  /* Astro puts its way of loading an island there (`client:only`), and looks it up for each island. */
  let only
  window.Astro = {
    get only() {
      return only && ((...island) => turn.then(() => styled).then(() => only(...island)))
    },
    set only(given) {
      only = given
    },
  }

  const reads = JSON.parse(document.querySelector('meta[name=boot-reads]').content)
  const profile = store('sessionStorage', 'marquee-profile') ?? store('localStorage', 'marquee-profile')
  /* Other tabs may do the same at this moment: the server gives each of them one and the same successor. */
  const refresh = () => fetch('/api/auth/refresh', { method: 'POST', credentials: 'include' })
  /* What the address asks to watch may be nonsense, which says nothing of the session. */
  boot.refresh = early ? early.answer.then((one) => (one.status === 422 ? refresh() : one)) : refresh()
  const token = boot.refresh.then((answer) => (answer.ok ? answer.clone().json() : null)).catch(() => null)
  const read = (url) => {
    boot.reads[url] = Promise.all([token, early?.turn]).then(([tokens]) => {
      if (!tokens) throw new Error('signed out')
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      if (profile) headers['X-Profile-Id'] = profile
      return fetch(url, { headers, credentials: 'include' })
    })
    boot.reads[url].catch(() => {})
  }
  /* `{kids:name}` becomes what a kids profile adds to the address: src/lib/stores/media.ts, in the same order. */
  const kids = store('localStorage', 'marquee-kids') === profile
  const safe = (_, name) => (kids ? ['&kids=true', 10751, 10762, 16].join(`&${name}=`) : '')
  const today = Math.floor(Date.now() / 86_400_000)
  for (const template of reads) {
    if (/\{(profile|slug)\}/.test(template) && !profile) continue
    const slug = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '')
    const url = template
      .replace('{profile}', profile ?? '')
      .replace('{slug}', encodeURIComponent(slug))
      .replace(/\{kids:([\w-]+)\}/, safe)
    read(url)
    if (/^\/api\/(movies\/featured|(movies|series)\/slug\/)/.test(url))
      boot.reads[url].then(showFirst).catch(() => {})
  }

  /* The large picture and title stand before any island's code is there; the islands draw the same in the same place. */
  async function showFirst(answer) {
    if (!answer.ok) return
    const body = await answer.clone().json()
    const { results } = body
    if (results) boot.hero = results
    boot.show(results ? results[today % Math.min(5, results.length || 1)] : body, document)
  }
  /* Today's picture of this profile's home was kept when it was there last (stores/first-picture.ts). */
  boot.early = () => {
    const kept = JSON.parse(store('localStorage', 'marquee-first') || 'null')
    if (boot.hero || kept?.profile !== profile || kept.kids !== kids || kept.day !== today) return
    boot.hero = [kept.media]
    boot.show(kept.media, document)
  }
  /* Also for a page that is about to be swapped in (instant.ts). */
  boot.show = (media, page) => {
    const frame = page.querySelector('[data-early-hero]')
    const base = document.querySelector('meta[name=image-base]').content
    if (!(media && frame)) return
    const [picture, fade, title] = frame.querySelectorAll('[data-early]')
    const own = media.backdrop_path?.startsWith('/drawn/')
    if (media.backdrop_path)
      picture.src = `${own || !base ? '/images' : base}/${'lite' in document.documentElement.dataset ? 'w780' : 'w1280'}${media.backdrop_path}`
    title.firstElementChild.textContent = media.title
    for (const part of [picture, fade, title]) part.hidden = false
    title.nextElementSibling.hidden = true
  }
})()
