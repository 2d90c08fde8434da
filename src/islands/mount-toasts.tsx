/** Renders the toasts. No page shows one at the start, so they are not an island of its first load. */
import { createRoot } from 'react-dom/client'
import { Toasts } from './Toasts.tsx'

const host = document.getElementById('toasts')
if (host) createRoot(host).render(<Toasts />)
