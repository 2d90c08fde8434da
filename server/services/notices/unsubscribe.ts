/** Ends the weekly email with the token of its link, without signing in (RFC 8058). */
import { getTextDirection } from '../../../src/lib/i18n/locales.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { endDigest, selectDigestByToken } from '../../queries/notice-setting.ts'
import { sha256 } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { createTranslate, type MessageKey, toMessageLocale } from '../operations/message-texts.ts'

/** Content-Security-Policy of the page: its form posts to the page itself, and nothing else is loaded. */
const PAGE_POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"

/**
 * Returns a page with a button. Opening the link ends nothing, because programs that check emails open links too. Unknown
 * tokens get the same page.
 */
export function showUnsubscribePage(deps: Deps, token: string): Promise<Response> {
  return renderPage(deps, token, 'mail:unsubscribeQuestion')
}

/** Ends the weekly email. Unknown tokens and emails that have ended get the same page. */
export async function unsubscribeFromDigest(deps: Deps, token: string): Promise<Response> {
  await endDigest(deps.database.primary, sha256(token))
  return renderPage(deps, token, 'mail:unsubscribeDone')
}

async function renderPage({ config, database }: Deps, token: string, text: MessageKey): Promise<Response> {
  const recipient = await selectDigestByToken(database.primary, sha256(token))
  const locale = toMessageLocale(recipient?.language ?? '')
  const translate = createTranslate(locale, { site: config.siteName })
  const button =
    text === 'mail:unsubscribeQuestion'
      ? `<form method="post"><button>${escapeMarkup(translate('mail:digestEnd'))}</button></form>`
      : ''
  const html = [
    `<!doctype html><html lang="${locale}" dir="${getTextDirection(locale)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<meta name="color-scheme" content="light dark"><title>${escapeMarkup(config.siteName)}</title></head>`,
    `<body><main><h1>${escapeMarkup(translate(text))}</h1>${button}</main></body></html>`,
  ].join('\n')
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_POLICY,
      // The form of a site without HTTPS is recognised by its Origin header, which `no-referrer` would remove.
      'Referrer-Policy': 'same-origin',
    },
  })
}
