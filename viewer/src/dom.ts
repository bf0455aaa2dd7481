// Elements without ceremony.

type Child = Node | string | null | undefined | false;
type Handler = (event: Event) => void;

/** An element with attributes (`onclick` and the like are listeners) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Record<string, string | number | boolean | Handler> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value);
        else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false) element.setAttribute(name, String(value));
    }
    element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
    return element;
}

export const count = (n: number, word: string) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
