/** Renders the toasts. They are mounted late, because no page shows a toast at the start. */
import { createRoot } from 'react-dom/client'
import { Toasts } from './Toasts.tsx'

const host = document.getElementById('toasts')
if (host) createRoot(host).render(<Toasts />)
