import { getCurrentLocale } from '../i18n/t.ts'
import { getSafeRedirect, href } from '../routes.ts'

/** Returns the path to open after signing in: the `redirect` parameter if it is a safe path, or else the home page. */
export function getPathAfterSignIn(): string {
  const redirect = getSafeRedirect(new URLSearchParams(location.search).get('redirect'))
  return redirect === '/' ? href('home', getCurrentLocale()) : redirect
}
