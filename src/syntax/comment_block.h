/* Long blocks of comments, taken out of the text before the grammar sees it.
 *
 * At the end of a statement the grammar's scanner looks over all comment lines that follow, to find the next indentation,
 * and does so again behind each of them: a script with a thousand lines commented out would cost a million.
 */
#ifndef TFCHECK_SYNTAX_COMMENT_BLOCK_H
#define TFCHECK_SYNTAX_COMMENT_BLOCK_H

#include "source/source.h"

/* The text with the comments of long blocks turned into blanks, which moves no offset; these comments go to `out`, in order.
 * The text itself if there is no such block. */
Str comment_blocks_take(Arena *arena, Arena *scratch, Str text, Comments *out);

#endif
