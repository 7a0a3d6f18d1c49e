/**
 * File extensions of sound, including types that no browser knows: dictation machines (dss), call recorders
 * (awb, qcp), broadcasters (w64, bwf, mxf).
 */
const soundEndings =
  /\.(?:16svx|72[26]|8svx|aac|aa3|ac[34]|adts|aea|aif[cf]?|aiffc|al|alaw|amr|ape|asf|at3|au|avi|awb|bw64|bwf|caf|cda|dff|divx|dsf|dss|dts|dtshd|dv|eac3|evo|f4[abpv]|fap|flac|flv|g72[2369]|gsm|ircam|latm|loas|lvf|m2t|m4[abprv]|mka|mkv|mlp|mod|mov|mp[1234+]|mpa|mpc|mpe?g|mpga|mt[2s]|m2ts|mxf|nist|nut|oga|ogg|ogm|ogv|ogx|oma|omg|opus|pvf|qcp|qt|ra|ram|rf64|rm|rmvb|sbc|sf|shn|snd|son|sou|sox|sph|spx|tak|thd|tod|trp|ts|tta|ul|ulaw|voc|vob|vox|vqf|w64|wave?|weba|webm|wm[av]|wsd|wtv|wv|xwma|3g2|3ga|3gpp?2?)$/i;

/**
 * Extensions of files that are found next to recordings but never contain sound: texts, pictures, tables,
 * archives, programs.
 */
const silentEndings =
  /\.(?:7z|avif|bmp|cfg|css|csv|db|dll|docx?|dmg|eml|epub|exe|gif|gz|heic|html?|ini|iso|jpe?g|js|json|key|log|lnk|md|mdb|msg|numbers|od[pst]|pages|pdf|plist|png|pptx?|psd|py|rar|rtf|sqlite3?|srt|svg|tar|tex|tiff?|ts\.map|tsv|txt|url|vtt|webp|xlsx?|xml|xmp|ya?ml|zip)$/i;

type Named = Pick<File, 'name' | 'type'>;

/** Whether the name or media type of a file indicates sound. */
export const isLikelySound = ({ name, type }: Named): boolean =>
  /^(?:audio|video)\//.test(type) || soundEndings.test(name);

/** Whether the name or media type of a file rules out sound. A file for which neither is true is worth probing. */
export const isLikelySilent = (file: Named): boolean =>
  !isLikelySound(file) && (/^(?:image|text|font)\//.test(file.type) || silentEndings.test(file.name));
