// The layout of every mail, in HTML and plain text. Mail clients render tables and inline styles reliably. The colours are light by
// default and dark if the client prefers it; the direction follows the language.
// The tenant's accent colour is parsed. Text on it is black or white, whichever has the higher contrast.
import type { MailBrand } from '../../data/outbox/message'
import type { Locale } from '../../text/locale'
import { directionOf } from '../../text/locale'
import { parseHex, type Rgb, readableOn, toHex } from '../colour'
import { html, type SafeHtml } from './mail-html'

export type MailParts = {
  title: string
  /** The preview text that a mailbox shows next to the subject. */
  preview: string
  greeting: string
  paragraphs: string[]
  facts: { label: string; value: string }[]
  /** Absent in a mail without a button. */
  action?: MailAction | undefined
  closing: string[]
  help?: { label: string; href: string } | undefined
  footer: string
}

export type MailAction = { intro: string; label: string; href: string; fallback: string }

export type MailFrame = {
  locale: Locale
  tenantName: string
  accent?: string | undefined
  /** Above the mail, instead of the tenant's name. */
  brand?: MailBrand | undefined
}

const DEFAULT_ACCENT: Rgb = [0x1d, 0x54, 0x45]
const FONT = "font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const TEXT = `${FONT};font-size:16px;line-height:1.6;color:#1b211f;margin:0 0 16px`
const SMALL = `${FONT};font-size:13px;line-height:1.6;color:#56605c;margin:0`

export function mailText(parts: MailParts): string {
  const { greeting, paragraphs, facts, action, closing, help, footer } = parts
  return [
    greeting,
    ...paragraphs,
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...(action ? [action.intro, action.href] : []),
    ...closing,
    ...(help ? [`${help.label}: ${help.href}`] : []),
    '-- ',
    footer,
  ].join('\n\n')
}

export function mailHtml(parts: MailParts, frame: MailFrame): string {
  const accent = parseHex(frame.brand?.accent ?? frame.accent ?? '') ?? DEFAULT_ACCENT
  return `<!doctype html>${document(parts, frame, accent).source}`
}

const document = (parts: MailParts, { locale, tenantName, brand }: MailFrame, accent: Rgb): SafeHtml => html`
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${parts.title}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:#121615!important}.card{background-color:#1b201f!important;border-left-color:#2c3331!important;border-right-color:#2c3331!important;border-bottom-color:#2c3331!important}
.ink{color:#eef1ef!important}.soft{color:#a9b3ae!important}.fact{background-color:#121615!important}
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f4f6f3">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${parts.preview}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f6f3">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="${FONT};font-size:15px;font-weight:600;color:#1b211f;padding:0 4px 14px">${logo(brand)}${brand?.name ?? tenantName}</td></tr>
<tr><td class="card" style="background-color:#ffffff;border:1px solid #dfe4e0;border-top:4px solid ${toHex(accent)};border-radius:12px;padding:36px 32px 28px">
${content(parts, accent)}
</td></tr>
<tr><td class="soft" style="${SMALL};padding:18px 4px 0">${parts.footer}${help(parts)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`

const logo = (brand: MailBrand | undefined): SafeHtml =>
  brand?.logoUrl === undefined
    ? html``
    : html`<img src="${webAddress(brand.logoUrl)}" alt="" height="28" style="height:28px;border:0;vertical-align:middle;margin-inline-end:10px">`

const content = (parts: MailParts, accent: Rgb): SafeHtml => html`
<h1 class="ink" style="${FONT};font-size:24px;line-height:1.3;font-weight:650;letter-spacing:-0.01em;color:#1b211f;margin:0 0 20px">${parts.title}</h1>
${[parts.greeting, ...parts.paragraphs].map(paragraph)}
${parts.facts.map(fact)}
${parts.action ? actionBlock(parts.action, accent) : html``}
${parts.closing.map(paragraph)}
${parts.action ? fallback(parts.action) : html``}`

const actionBlock = (action: MailAction, accent: Rgb): SafeHtml => html`${paragraph(action.intro)}
${button(action, accent)}`

const fallback = ({ fallback, href }: MailAction): SafeHtml =>
  html`<p class="soft" style="${SMALL};padding-top:8px">${fallback}<br><a class="soft" href="${webAddress(href)}" target="_blank" rel="noopener noreferrer" style="color:#56605c;word-break:break-all" dir="ltr">${href}</a></p>`

const paragraph = (text: string): SafeHtml => html`<p class="ink" style="${TEXT}">${text}</p>
`

const fact = ({ label, value }: { label: string; value: string }): SafeHtml => html`
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr>
<td class="fact" style="background-color:#f4f6f3;border-radius:8px;padding:12px 16px">
<span class="soft" style="${SMALL}">${label}</span><br>
<span class="ink" dir="ltr" style="font-family:ui-monospace,Consolas,Menlo,monospace;font-size:15px;color:#1b211f">${value}</span>
</td></tr></table>`

const button = ({ label, href }: MailAction, accent: Rgb): SafeHtml => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="${toHex(accent)}" style="background-color:${toHex(accent)};border-radius:10px">
<a href="${webAddress(href)}" target="_blank" rel="noopener noreferrer" style="${FONT};display:inline-block;padding:14px 26px;font-size:16px;font-weight:600;line-height:1.2;text-decoration:none;color:${toHex(readableOn(accent))};border-radius:10px">${label}</a>
</td></tr></table>`

const help = ({ help }: MailParts): SafeHtml =>
  help
    ? html` <a class="soft" href="${webAddress(help.href)}" target="_blank" rel="noopener noreferrer" style="color:#56605c">${help.label}</a>`
    : html``

function webAddress(href: string): string {
  const scheme = URL.canParse(href) ? new URL(href).protocol : ''
  if (scheme !== 'https:' && scheme !== 'http:') throw new Error('a link in a mail must be http or https')
  return href
}
