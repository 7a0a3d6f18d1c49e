/** Endings of sound, also of what no browser knows a type for: dictation machines (dss, ds2), call recorders (awb, qcp), broadcasters (w64, bwf, mxf). */
const soundEndings = /\.(?:aac|ac3|aif[cf]?|amr|ape|asf|au|avi|awb|bw64|bwf|caf|ds2|dss|dts|eac3|f4[av]|flac|flv|gsm|m4[abrv]|mka|mkv|mod|mov|mp[1234]|mpe?g|mpga|mts|m2ts|mxf|nut|oga|ogg|ogv|opus|qcp|qt|rf64|sf|snd|sph|spx|ts|tta|voc|vob|w64|wave?|weba|webm|wm[av]|wv|3g2|3gpp?2?|8svx)$/i;

/** Files that lie beside recordings and never hold sound: texts, pictures, tables, archives, programs. */
const silentEndings = /\.(?:7z|avif|bmp|cfg|css|csv|db|dll|docx?|dmg|eml|epub|exe|gif|gz|heic|html?|ini|iso|jpe?g|js|json|key|log|lnk|md|mdb|msg|numbers|od[pst]|pages|pdf|plist|png|pptx?|psd|py|rar|rtf|sqlite3?|srt|svg|tar|tex|tiff?|ts\.map|tsv|txt|url|vtt|webp|xlsx?|xml|xmp|ya?ml|zip)$/i;

type Named = Pick<File, 'name' | 'type'>;

/** Whether a file says of itself, by its name or its type, that there is sound in it. */
export const looksLikeSound = ({ name, type }: Named): boolean => /^(?:audio|video)\//.test(type) || soundEndings.test(name);

/** Whether a file says of itself that there can be no sound in it. What says neither is worth a look inside. */
export const looksSilent = (file: Named): boolean => !looksLikeSound(file) && (/^(?:image|text|font)\//.test(file.type) || silentEndings.test(file.name));
