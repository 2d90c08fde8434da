/** Shows the notices that the server pushes, and opens their pages. */
import { buildManifest } from './build-manifest.ts'
import { isSignedIn } from './image-cache.ts'
import { type PushEvent, workerScope } from './worker-scope.ts'

/**
 * Shows a notice in the language of its profile. Shows a notification for every push message, because browsers end a
 * subscription if its messages show no notifications. While nobody is signed in, the notification has no content: the
 * server sends notices of the previous user until it knows of the sign-out.
 */
export async function showNotice({ data }: PushEvent): Promise<void> {
  const notice = (await isSignedIn()) ? (data?.json() as Record<string, string> | undefined) : undefined
  const { title = buildManifest.siteName, body, path, tag, lang, dir } = notice ?? {}
  await workerScope.registration.showNotification(title, {
    body,
    tag,
    lang,
    dir,
    data: path,
    icon: '/icons/192.png',
    badge: '/icons/192.png',
  })
}

/** Opens a page of the site in an open tab that does not show the player. Without such a tab, opens a new tab. */
export async function openPage(path: string): Promise<void> {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const tabs = await workerScope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [tab] = tabs.filter((client) => !/\/watch\//.test(new URL(client.url).pathname))
  if (!tab) {
    await workerScope.clients.openWindow(url.href)
    return
  }
  await tab.focus()
  // A tab that this worker does not control cannot be navigated.
  await tab.navigate(url.href).catch(() => workerScope.clients.openWindow(url.href))
}
