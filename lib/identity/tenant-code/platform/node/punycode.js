import punycode from 'punycode/'

export const { toASCII, toUnicode } = punycode
export { punycode }
