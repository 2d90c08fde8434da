/**
 * States that the gallery takes screenshots of: the pages that need no profile, which are sign-in, invitation, password
 * reset and pairing.
 */
import type { GalleryState } from './gallery-state.ts'
import { clickButton, fulfilRequests } from './state-actions.ts'

export const signInStates: GalleryState[] = [
  { name: 'login', path: '/login/', viewer: 'signed-out' },
  {
    name: 'login-error',
    path: '/login/',
    viewer: 'signed-out',
    prepare: async ({ page }) => {
      const errorBody = { type: 'unauthorized', status: 401, message: '', errors: {} }
      await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json: errorBody }))
    },
    interact: async (galleryWindow) => {
      // On a television the code is shown first.
      if (galleryWindow.size === 'tv') await clickButton('auth:usePassword')(galleryWindow)
      await galleryWindow.page.locator('form[data-ready] input[type=email]').fill('nobody@example.org')
      await galleryWindow.page.locator('input[type=password]').fill('Wrong12345')
      await clickButton('auth:signIn')(galleryWindow)
      await galleryWindow.page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'login-code',
    path: '/login/',
    viewer: 'signed-out',
    interact: async (galleryWindow) => {
      // A television shows the code without a click.
      if (galleryWindow.size !== 'tv') await clickButton('auth:useCode')(galleryWindow)
      await galleryWindow.page.getByRole('img', { name: galleryWindow.translate('auth:qrLabel') }).waitFor()
    },
  },
  { name: 'reset', path: '/reset/', viewer: 'signed-out' },
  { name: 'email-bad', path: '/email/?token=none', viewer: 'signed-out' },
  { name: 'reset-bad', path: '/reset/?token=none', viewer: 'signed-out' },
  { name: 'link', path: '/link/' },
  { name: 'remote', path: '/remote/' },
  {
    name: 'remote-keys',
    path: '/remote/?code=123456',
    prepare: fulfilRequests({
      '**/remote/claim': { pairing_id: 'gallery', device_name: 'Samsung Tizen television' },
      '**/remote/pairings/*/renew': { device_name: 'Samsung Tizen television' },
    }),
  },
  {
    name: 'login-providers',
    path: '/login/',
    viewer: 'signed-out',
    prepare: fulfilRequests({
      '**/auth/sign-in-methods': {
        password: true,
        providers: [
          { id: 'family', name: 'Family Cloud' },
          { id: 'club', name: 'Film club' },
        ],
      },
    }),
  },
  {
    name: 'login-first',
    path: '/login/',
    viewer: 'signed-out',
    prepare: fulfilRequests({
      '**/auth/sign-in-methods': { password: true, providers: [], first_sign_in: true },
    }),
  },
  {
    name: 'signup',
    path: ({ household }) => `/signup/?token=${household.invitationToken}`,
    viewer: 'signed-out',
  },
  { name: 'signup-bad', path: '/signup/?token=none', viewer: 'signed-out' },
]
