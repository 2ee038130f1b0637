// @ts-check
import { site } from './source.js';

/** @type {Map<string, Promise<(path: string) => string>>} by the name of the format */
const formats = new Map();

/**
 * Tells where the fields of a format are described, if a site of the formats lies beside the page.
 * @param {string} format
 */
export function fieldsOf(format) {
  let known = formats.get(format);
  if (!known) formats.set(format, known = placesIn(format));
  return known;
}

/** @param {string} format */
async function placesIn(format) {
  const none = () => '';
  if (!format || site()) return none; // pages in a folder have nothing beside them
  const name = format.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  try {
    const answer = await fetch(`formats/format-${name}.json`);
    if (answer.status !== 200) return none;
    /** @type {{page: string, fields: Record<string, string>}} */
    const { page, fields } = await answer.json();
    return (/** @type {string} */ path) => {
      const field = (path.split('/').pop() || '').replace(/ \[\d+\]$/, '').toLowerCase().replace(/[^a-z0-9]/g, '');
      return `formats/${Object.hasOwn(fields, field) ? fields[field] : page}`;
    };
  } catch {
    return none;
  }
}
