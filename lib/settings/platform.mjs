// The platform that runs or builds this process, as its own variables state it, and the settings that cannot work there. This is
// JavaScript because next.config.js reads it at build time; lib/settings/env.ts reads it at run time.

/** @typedef {Readonly<Record<string, string | undefined>>} Source */

/** @param {Source} source @returns {'vercel' | undefined} */
export const platformOf = (source) => (source.VERCEL === '1' ? 'vercel' : undefined)

/** @param {Source} source @returns {string[]} a sentence for each setting that the platform makes impossible */
export const impossibleSettings = (source) =>
  platformOf(source) === 'vercel' && source.LATCHKEY_CONFIG ? [NO_TENANT_FILE] : []

const NO_TENANT_FILE =
  'LATCHKEY_CONFIG is not read on Vercel, where every cold start would apply the file again: remove it, and apply the file once per deployment with `npm run tenant -- apply FILE`, such as in the build command.'
