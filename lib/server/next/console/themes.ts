// Apart from theme.ts, because the browser has the list too.
export const THEMES = ['system', 'light', 'dark'] as const
export type ConsoleTheme = (typeof THEMES)[number]
