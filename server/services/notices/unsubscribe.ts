/** Ends the weekly email with the token of an unsubscribe link, without signing in (RFC 8058). */
import { getTextDirection } from '../../../src/lib/i18n/locales.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { selectDigestByToken, turnOffDigest } from '../../queries/notice-setting.ts'
import { sha256 } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { createTranslate, type MessageKey, toMessageLocale } from '../operations/message-texts.ts'

/**
 * Content-Security-Policy of the page. The page may load nothing. Its form may post to this site.
 */
const PAGE_CONTENT_SECURITY_POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"

/**
 * Returns a page with a button that ends the weekly email. Opening the link does not end the weekly email,
 * because email scanners open links too. An unknown token gets the same page.
 */
export function showUnsubscribePage(deps: Deps, token: string): Promise<Response> {
  return renderUnsubscribePage(deps, token, 'mail:unsubscribeQuestion')
}

/**
 * Ends the weekly email and returns a confirmation page. Returns the same page if the token is unknown or the weekly
 * email has already ended.
 */
export async function unsubscribeFromDigest(deps: Deps, token: string): Promise<Response> {
  await turnOffDigest(deps.database.primary, sha256(token))
  return renderUnsubscribePage(deps, token, 'mail:unsubscribeDone')
}

async function renderUnsubscribePage(
  { config, database }: Deps,
  token: string,
  textKey: MessageKey,
): Promise<Response> {
  const recipient = await selectDigestByToken(database.primary, sha256(token))
  const locale = toMessageLocale(recipient?.language ?? '')
  const translate = createTranslate(locale, { site: config.siteName })
  const buttonHtml =
    textKey === 'mail:unsubscribeQuestion'
      ? `<form method="post"><button>${escapeMarkup(translate('mail:digestEnd'))}</button></form>`
      : ''
  const html = [
    `<!doctype html><html lang="${locale}" dir="${getTextDirection(locale)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<meta name="color-scheme" content="light dark"><title>${escapeMarkup(config.siteName)}</title></head>`,
    `<body><main><h1>${escapeMarkup(translate(textKey))}</h1>${buttonHtml}</main></body></html>`,
  ].join('\n')
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_CONTENT_SECURITY_POLICY,
      // On a site without HTTPS, the server recognises requests of its own form by the Origin header. With
      // `no-referrer`, browsers would send `Origin: null`.
      'Referrer-Policy': 'same-origin',
    },
  })
}
