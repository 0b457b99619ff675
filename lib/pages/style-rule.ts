/** A rule of a style sheet. The caller answers for the values. */
export const ruleOf = (selector: string, declarations: Readonly<Record<string, string>>): string =>
  `${selector}{${Object.entries(declarations)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`
