/** An error as Node.js makes it, with a code. */
export const failing = (message, code, Kind = Error) => Object.assign(new Kind(message), { code })

/** A class or function of a server. */
export const refusing = (name) =>
  function Refused() {
    throw failing(`${name}: actions have no server`, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
  }
